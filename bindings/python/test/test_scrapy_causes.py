"""Why a request of Scrapy got no answer: the causes of exceptions, and what the middleware reports, among doubles."""
import errno
import socket
import ssl
import unittest
import warnings

from scrapy_doubles import HAS_SCRAPY, SITE, Doubled

if HAS_SCRAPY:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Scrapy and Twisted themselves
        import scrapy
        from twisted.internet import error
        from twisted.internet.defer import CancelledError
        from twisted.python.failure import Failure
        from twisted.web._newclient import ParseError
        from twisted.web.client import ResponseFailed, ResponseNeverReceived

        from robotrules import RobotRulesError
        from robotrules._scrapy_causes import cause_of

ROBOTS = SITE + "/robots.txt"


def made_of(outer, inner):
    """Returns an exception that was raised from another one."""
    outer.__cause__ = inner
    return outer


@unittest.skipUnless(HAS_SCRAPY, "needs Scrapy (python3-scrapy)")
class Causes(unittest.TestCase):
    def cause(self, exception, **meta):
        return cause_of(exception, scrapy.Request(SITE, meta=meta))

    def test_exceptions_of_twisted(self):
        for exception, cause in (
            (error.ConnectionRefusedError(errno.ECONNREFUSED, "refused"), "connect"),
            (error.ConnectError(errno.EHOSTUNREACH, "no route to host"), "connect"),
            (error.ConnectError(), "connect"),
            (error.ConnectionLost(), "connect"),
            (error.ConnectionDone(), "connect"),
            (error.TimeoutError(), "timeout"),
            (error.TCPTimedOutError(errno.ETIMEDOUT, "timed out"), "timeout"),
            (error.DNSLookupError("no results"), "dns"),
            (error.UnknownHostError(), "dns"),
            (error.NoRouteError(errno.ENETUNREACH, "network is unreachable"), "route"),
            (error.ConnectError(errno.ENETDOWN, "network is down"), "route"),
            (CancelledError(), "cancelled"),
            (error.ConnectionAborted(), "cancelled"),
            (error.ConnectBindError(errno.EADDRINUSE, "address in use"), "none"),
            (error.ConnectError(errno.EMFILE, "too many open files"), "none"),
            (error.SSLError(), "none"),
            (error.UserError(), "none"),
        ):
            self.assertEqual(self.cause(exception), cause, repr(exception))

    def test_failures_with_reasons(self):
        for exception, cause in (
            (ResponseNeverReceived([Failure(error.ConnectionLost())]), "connect"),
            (ResponseFailed([Failure(error.ConnectionDone()), Failure(Exception("data loss"))]), "connect"),
            (ResponseFailed([Failure(error.TimeoutError())]), "timeout"),
            (ResponseFailed([Failure(ParseError("no HTTP", b"x"))]), "none"),
            (ResponseNeverReceived([Failure(ssl.SSLError())]), "none"),
            (ResponseFailed([]), "none"),
        ):
            self.assertEqual(self.cause(exception), cause, repr(exception))

    def test_exceptions_of_newer_versions_of_scrapy(self):
        if not hasattr(scrapy.exceptions, "DownloadFailedError"):
            return  # this one passes the exceptions of Twisted
        refused, failed = scrapy.exceptions.DownloadConnectionRefusedError, scrapy.exceptions.DownloadFailedError
        for exception, cause in (
            (refused("refused"), "connect"),
            (made_of(refused("refused"), error.ConnectionRefusedError(errno.ECONNREFUSED, "refused")), "connect"),
            (made_of(refused("certificate"), ssl.SSLCertVerificationError()), "none"),
            (made_of(refused("unreachable"), OSError(errno.ENETUNREACH, "network is unreachable")), "route"),
            (scrapy.exceptions.ResponseDataLossError(), "connect"),
            (scrapy.exceptions.DownloadTimeoutError(), "timeout"),
            (scrapy.exceptions.CannotResolveHostError(), "dns"),
            (scrapy.exceptions.DownloadCancelledError(), "cancelled"),
            (made_of(failed("lost"), ResponseNeverReceived([Failure(error.ConnectionLost())])), "connect"),
            (made_of(failed("no HTTP"), ResponseFailed([Failure(ParseError("no HTTP", b"x"))])), "none"),
            (failed("anything"), "none"),
        ):
            self.assertEqual(self.cause(exception), cause, repr(exception))

    def test_exceptions_of_python_and_others(self):
        for exception, cause in (
            (ConnectionResetError(), "connect"),
            (BrokenPipeError(), "connect"),
            (TimeoutError(), "timeout"),
            (socket.gaierror(socket.EAI_AGAIN, "temporary failure"), "dns"),
            (OSError(errno.ENETUNREACH, "network is unreachable"), "route"),
            (OSError(errno.EMFILE, "too many open files"), "none"),
            (OSError("something"), "none"),
            (ssl.SSLError(), "none"),
            (scrapy.exceptions.StopDownload(), "cancelled"),
            (scrapy.exceptions.NotSupported(), "none"),
            (ValueError("invalid hostname"), "none"),
        ):
            self.assertEqual(self.cause(exception), cause, repr(exception))

    def test_what_fails_behind_a_proxy_is_not_counted_against_the_site(self):
        for exception in (error.ConnectionRefusedError(), error.TimeoutError(), error.DNSLookupError()):
            self.assertEqual(self.cause(exception, proxy="http://127.0.0.1:3128"), "none")
        self.assertEqual(self.cause(CancelledError(), proxy="http://127.0.0.1:3128"), "cancelled")
        self.assertEqual(self.cause(error.TimeoutError(), proxy=None), "timeout")


class Reports(Doubled):
    def send(self, answer, path="/", **named):
        """Sends a page that ends with an exception. Returns what the gate was told."""
        request, refusal = self.admit(path, **named)
        self.assertIsNone(refusal)
        self.engine.answers[request.url] = answer
        self.assertIs(self.result(self.engine.through_the_slot(request)), answer)
        return self.rules.ended[-1]

    def make(self, **settings):
        super().make(**settings)
        self.rules.keep(ROBOTS, b"User-agent: *\nDisallow: /private\n", 86_400)

    def test_a_page_without_an_answer(self):
        for exception, end in ((error.ConnectionLost(), "failed: connect"), (error.TimeoutError(), "failed: timeout"),
                               (error.DNSLookupError(), "failed: dns"), (CancelledError(), "failed: cancelled"),
                               (ValueError(), 0)):
            self.assertEqual(self.send(exception), (False, end, None))
        self.assertEqual(self.send(error.ConnectionLost(), meta={"proxy": "http://127.0.0.1:3128"}), (False, 0, None))
        self.assertEqual(self.middleware.room.tokens, self.middleware.room.limit)

    def test_a_robots_txt_without_an_answer(self):
        for exception, end in ((error.ConnectionRefusedError(), "failed: connect"),
                               (error.TimeoutError(), "failed: timeout"), (OSError("no route"), 0)):
            self.make()
            self.rules.records.clear()
            self.engine.answers[ROBOTS] = exception
            self.assertEqual(self.admit()[1].reason, "robots-unreachable")
            self.assertEqual(self.rules.ended, [(True, end, None)])

    def test_a_request_that_was_not_sent_says_nothing_about_the_site(self):
        request, _ = self.admit()
        self.result(self.middleware.process_exception(request, error.ConnectionLost()))  # of another middleware
        self.assertEqual(self.rules.ended, [(False, 0, None)])

    def test_the_cause_is_reported_again_if_the_store_did_not_take_it(self):
        request, _ = self.admit()
        self.engine.answers[request.url] = error.ConnectionLost()
        self.rules.complete_error = RobotRulesError("store-unreachable", "it has not answered in time")
        self.result(self.engine.through_the_slot(request))
        self.assertEqual(self.rules.ended, [])
        self.rules.complete_error = None
        self.clock.timers.pop()[1]()
        self.assertEqual(self.rules.ended, [(False, "failed: connect", None)])

    def test_a_site_that_is_away_is_waited_for(self):
        self.rules.answers = [(False, "wait", 5, "away"), (False, "wait", 10, "away")]
        self.assertIsNone(self.admit()[1])
        self.assertAlmostEqual(sum(self.clock.slept), 15, places=3)

    def test_a_site_that_gave_no_answer_for_ten_minutes_is_given_up(self):
        for robots_fetch in (False, True):
            self.make()
            if robots_fetch:
                self.rules.records.clear()
            self.rules.answers = [(robots_fetch, "wait", 320, "away"), (robots_fetch, "wait", 600, "away")]
            self.assertEqual(self.admit()[1].reason, "parked")
            self.assertAlmostEqual(sum(self.clock.slept), 320, places=3)
            self.assertIsNone(self.admit()[1], "the turn was given back")
            self.assertEqual(self.stats["robotrules/parked"], 1)


if __name__ == "__main__":
    unittest.main()

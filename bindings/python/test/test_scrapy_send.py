"""What the middleware for Scrapy does after Scrapy's slot, directly before a request is sent, among doubles."""
import logging
import unittest
import unittest.mock
import warnings
from types import SimpleNamespace

from scrapy_doubles import HAS_SCRAPY, SITE, Doubled, robots

if HAS_SCRAPY:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Scrapy and Twisted themselves
        import scrapy
        from scrapy import signals
        from scrapy.core.downloader.handlers import DownloadHandlers
        from scrapy.http import Response
        from scrapy.settings import Settings
        from scrapy.signalmanager import SignalManager
        from twisted.internet import reactor  # noqa: F401  Scrapy asks which one is installed
        from twisted.internet.defer import Deferred, ensureDeferred, succeed

        from robotrules import RobotRulesError
        from robotrules.scrapy import RobotsIgnoreRequest

ROBOTS = SITE + "/robots.txt"
PAGE = SITE + "/"
BY_COROUTINE = HAS_SCRAPY and hasattr(DownloadHandlers, "download_request_async")


class Sent(Doubled):
    """What all tests need."""

    def make(self, **settings):
        super().make(**settings)
        self.rules.keep(ROBOTS, b"User-agent: *\nDisallow: /private\n", 86_400)

    def send(self, request):
        """Returns what becomes of a request that was let through."""
        return self.result(self.engine.through_the_slot(request))

    def page(self, seconds, path="/", **named):
        """Lets a request through, which the slot then holds. Returns what becomes of it."""
        request, refusal = self.admit(path, **named)
        self.assertIsNone(refusal)
        self.engine.in_slot[request.url] = seconds
        return self.send(request)

    def is_as_new(self):
        """No turn, place or timer is left of earlier requests."""
        self.assertEqual(self.middleware._permits, {})
        self.assertEqual(self.clock.waiting, [])
        self.assertEqual(self.middleware.room.tokens, self.middleware.room.limit)
        self.assertEqual(self.page(0).status, 200)


class Pages(Sent):
    def test_a_request_that_the_slot_held_for_too_long_waits_for_the_gate_again(self):
        request, _ = self.admit()
        self.rules.answers = [(False, "wait", 4.5, "interval"), (False, "wait", 240, "in-flight")]
        self.engine.in_slot[PAGE] = 6
        self.assertEqual(self.send(request).status, 200)
        [(url, sent)] = self.engine.sent
        self.assertEqual(url, PAGE)
        self.assertAlmostEqual(sent, 6 + 4.5 + 0.02, places=2)
        self.assertEqual(self.rules.asked, [2] * 4)
        self.assertEqual(self.rules.ended, [(False, "cancelled", None), (False, 200, None)])
        self.assertEqual(self.stats["robotrules/asked_again"], 1)
        self.assertEqual(self.stats["robotrules/waits"], 1)
        self.is_as_new()

    def test_two_seconds_are_not_too_long(self):
        self.assertEqual(self.page(2).status, 200)
        self.assertEqual(self.engine.sent, [(PAGE, 2)])
        self.assertEqual(self.rules.asked, [2])
        self.assertNotIn("robotrules/asked_again", self.stats)
        self.is_as_new()

    def test_it_is_asked_again_until_the_answer_comes_in_time(self):
        request, _ = self.admit()
        self.engine.in_slot[PAGE] = 6
        self.rules.reserve_takes = [3, 3, 1]
        self.assertEqual(self.send(request).status, 200)
        self.assertEqual(self.engine.sent, [(PAGE, 13)])
        self.assertEqual(self.stats["robotrules/asked_again"], 3)
        self.assertEqual([end for _, end, _ in self.rules.ended], ["cancelled"] * 3 + [200])

    def test_a_permit_that_is_too_old_is_given_back_before_the_slot_lets_the_request_go(self):
        request, _ = self.admit()
        self.clock.pass_time(2)
        self.assertEqual(self.rules.ended, [])
        self.clock.pass_time(1)
        self.assertEqual(self.rules.ended, [(False, "cancelled", None)])
        self.assertEqual(self.send(request).status, 200)
        self.assertEqual(self.stats["robotrules/asked_again"], 1)
        self.is_as_new()

    def test_the_age_of_a_request_that_was_sent_does_not_matter(self):
        request, _ = self.admit()
        answer = self.engine.answers[PAGE] = Deferred()
        found = []
        ensureDeferred(self.engine.through_the_slot(request)).addBoth(found.append)
        self.assertEqual(self.clock.waiting, [240])  # its hold
        self.clock.pass_time(60)
        self.middleware._permits[request]._look()  # as if the timer had been too slow
        self.assertEqual(self.rules.ended, [])
        answer.callback(Response(PAGE))
        self.assertEqual(found[0].status, 200)
        self.assertEqual(self.rules.ended, [(False, 200, None)])

    def test_the_latency_begins_when_the_request_is_sent(self):
        with unittest.mock.patch("time.monotonic", lambda: self.clock.now):
            self.page(6)
        self.assertEqual(self.rules.latencies, [0])

    def test_rules_that_have_changed_meanwhile_refuse_it(self):
        request, _ = self.admit()
        self.rules.keep(ROBOTS, b"User-agent: *\nDisallow: /\n", 86_400)
        self.engine.in_slot[PAGE] = 6
        self.assertEqual(self.send(request).reason, "robots-denied")
        self.assertEqual(self.engine.sent, [])
        self.assertEqual(self.stats["robotrules/robots-denied"], 1)
        self.rules.keep(ROBOTS, b"", 86_400)
        self.is_as_new()

    def test_rules_that_have_expired_meanwhile_send_it_back_to_the_scheduler(self):
        self.rules.keep(ROBOTS, b"", 5)
        again = self.page(6)
        self.assertEqual((again.url, again.dont_filter), (PAGE, True))
        self.assertEqual(self.engine.sent, [])
        self.assertIsNone(self.result(self.middleware.process_request(again)))
        self.assertEqual(self.engine.requests, [ROBOTS])
        self.assertEqual(self.send(again).url, PAGE)  # it is too late again, but the rules are fresh
        self.is_as_new()

    def test_the_rules_do_not_matter_to_a_request_that_does_not_obey_them(self):
        self.rules.keep(ROBOTS, b"", 5)
        self.assertEqual(self.page(6, meta={"dont_obey_robotstxt": True}).status, 200)
        self.assertEqual(self.stats["robotrules/asked_again"], 1)

    def test_a_site_that_must_be_left_alone_for_longer_is_parked(self):
        for answer in ((False, "wait", 3_601, "penalty"), (False, "blocked", 1, "")):
            self.make()
            request, _ = self.admit()
            self.rules.answers = [answer]
            self.engine.in_slot[PAGE] = 6
            self.assertEqual(self.send(request).reason, "parked")
            self.assertEqual(self.engine.sent, [])
            self.is_as_new()

    def test_a_store_that_fails_refuses_it(self):
        request, _ = self.admit()
        self.rules.reserve_error = RobotRulesError("store-busy", "another process has locked it")
        self.engine.in_slot[PAGE] = 6
        self.assertEqual(self.send(request).reason, "store")
        self.assertEqual(self.engine.sent, [])
        self.assertEqual(self.stats["robotrules/store"], 1)
        self.rules.reserve_error = None
        self.is_as_new()

    def test_a_spider_that_closes_gets_it_back(self):
        request, _ = self.admit()
        self.engine.slot.closing = True
        self.engine.in_slot[PAGE] = 6
        self.assertEqual(self.send(request).reason, "closing")
        self.assertEqual([again.url for again in self.engine.crawled], [PAGE])
        self.assertEqual(self.engine.sent, [])
        self.assertEqual(self.stats["robotrules/closing"], 1)
        self.engine.slot.closing = None
        self.is_as_new()

    def test_it_keeps_its_turn_and_its_place_while_it_waits(self):
        self.make(CONCURRENT_REQUESTS=1)
        request, _ = self.admit("/a")
        found = []

        class Asked(Exception):
            pass

        def asks(*_):
            found.append((self.middleware.room.tokens, self.middleware._permits[request].site.turns.tokens))
            raise Asked

        self.engine.in_slot[request.url] = 6
        with unittest.mock.patch.object(self.middleware, "ask", asks):
            self.assertIsInstance(self.send(request), Asked)
        self.assertEqual(found, [(0, 0)])
        self.is_as_new()

    def test_the_hold_ends_no_request_that_waits_in_a_slot(self):
        request, _ = self.admit()
        self.engine.downloader.active.add(request)
        self.engine.in_slot[PAGE] = 1000
        self.assertEqual(self.send(request).status, 200)
        self.assertEqual(self.engine.sent, [(PAGE, 1000)])
        self.assertEqual([end for _, end, _ in self.rules.ended], ["cancelled", 200])

    def test_a_request_that_waited_in_a_slot_has_its_whole_hold(self):
        request, _ = self.admit()
        self.engine.in_slot[PAGE] = 200
        answer = self.engine.answers[PAGE] = Deferred()
        ensureDeferred(self.engine.through_the_slot(request))
        self.clock.pass_time(179)
        answer.callback(Response(PAGE))
        self.assertEqual([end for _, end, _ in self.rules.ended], ["cancelled", 200])

    def test_the_age_still_matters_when_the_spider_has_closed(self):
        request, _ = self.admit()
        self.result(self.middleware.spider_closed())
        self.clock.pass_time(6)
        self.send(request)
        self.assertEqual(self.stats["robotrules/asked_again"], 1)

    def test_a_permit_is_for_one_request(self):
        request, _ = self.admit()
        answer = self.engine.answers[PAGE] = Deferred()
        ensureDeferred(self.engine.through_the_slot(request)).addErrback(lambda failure: None)
        self.result(self.engine.downloader.handlers.download_request_async(request))
        self.assertEqual(self.engine.sent, [(PAGE, 0)])
        answer.errback(scrapy.exceptions.IgnoreRequest())  # of a handler, after the request
        self.assertEqual(self.rules.ended, [(False, 0, None)])

    def test_a_request_without_a_permit_is_not_sent(self):
        request, _ = self.admit()
        self.engine.in_slot[PAGE] = 1000  # the hold ends it, because it is not among the active ones
        self.assertEqual((self.send(request).url, self.engine.sent), (PAGE, []))
        with self.assertRaises(scrapy.exceptions.IgnoreRequest):
            raise self.result(self.engine.downloader.handlers.download_request_async(scrapy.Request(PAGE)))
        self.is_as_new()


class RobotsFiles(Sent):
    """Requests for robots.txt wait in the slots too."""

    def make(self, **settings):
        super().make(**settings)
        self.rules.records.clear()
        self.rules.kept.clear()
        self.engine.in_slot[ROBOTS] = 6

    def test_the_gate_is_asked_again(self):
        self.assertIsNone(self.admit()[1])
        self.assertEqual(self.engine.sent, [(ROBOTS, 6)])
        self.assertEqual(self.rules.ended, [(True, "cancelled", None), (True, 200, None)])
        self.assertEqual(self.stats["robotrules/asked_again"], 1)
        self.assertEqual([kind for _, kind, _ in self.rules.kept], ["rules"])

    def test_it_keeps_its_place(self):
        self.make(CONCURRENT_REQUESTS=1)
        self.assertIsNone(self.admit()[1])
        self.assertEqual(self.engine.sent, [(ROBOTS, 6)])

    def test_the_latency_begins_when_it_is_sent(self):
        with unittest.mock.patch("time.monotonic", lambda: self.clock.now):
            self.admit()
        self.assertEqual(self.rules.latencies, [0])

    def test_also_for_the_target_of_a_redirect(self):
        target = "https://other.example/robots.txt"
        self.engine.answers[ROBOTS] = robots(status=301, body=b"", Location=target)
        self.engine.answers[target] = robots(target)
        self.engine.in_slot = {target: 6}
        self.assertEqual(self.admit("/private")[1].reason, "robots-denied")
        self.assertEqual(self.engine.sent, [(ROBOTS, 0), (target, 6)])
        self.assertEqual(self.stats["robotrules/asked_again"], 1)

    def during_the_wait(self, function):
        """Calls a function while the slot holds the request for robots.txt."""
        self.clock.later(5, function)

    def test_it_is_not_sent_if_another_process_has_fetched_it_meanwhile(self):
        self.during_the_wait(lambda: self.rules.keep(ROBOTS, b"User-agent: *\nDisallow: /\n", 86_400))
        self.assertEqual(self.admit()[1].reason, "robots-denied")
        self.assertEqual(self.engine.sent, [])
        self.assertEqual([kind for _, kind, _ in self.rules.kept], ["rules"])
        self.assertEqual(self.rules.ended, [(True, "cancelled", None)] * 2)
        self.assertNotIn("robotrules/robots_fetched", self.stats)
        self.rules.keep(ROBOTS, b"", 86_400)
        self.is_as_new()

    def test_what_stops_it_stops_the_page_and_says_nothing_about_the_file(self):
        def fails():
            self.rules.reserve_error = RobotRulesError("store-busy", "another process has locked it")

        def closes():
            self.engine.slot.closing = True

        def parks():
            self.rules.answers = [(True, "wait", 3_601, "penalty")]

        for function, reason in ((fails, "store"), (closes, "closing"), (parks, "parked")):
            self.make()
            self.during_the_wait(function)
            self.assertEqual(self.admit()[1].reason, reason)
            self.assertEqual((self.engine.sent, self.rules.kept), ([], []))
            self.assertEqual(self.stats[f"robotrules/{reason}"], 1)
            self.rules.reserve_error = self.engine.slot.closing = None
            self.rules.keep(ROBOTS, b"", 86_400)
            self.is_as_new()


class OneHandler:
    """A handler of the settings. log: what happened to its class."""

    lazy = False

    def __init__(self, log):
        self.log = log
        log.append("made")

    def answer(self, request):
        self.log.append(request.url)
        return Response(request.url)


class CoroutineHandler(OneHandler):
    async def download_request(self, request):
        return self.answer(request)

    async def close(self):
        self.log.append("closed")


class DeferredHandler(OneHandler):
    def download_request(self, request, spider):
        return succeed(self.answer(request))

    def close(self):
        self.log.append("closed")


class Handlers(Sent):
    """The handlers of the settings are wrapped, whichever they are, in Scrapy's own DownloadHandlers."""

    def with_handlers(self, setting="DOWNLOAD_HANDLERS", **handlers):
        """Gives the engine these handlers in place of its double."""
        crawler = self.middleware.crawler
        crawler.settings = Settings({"DOWNLOAD_HANDLERS_BASE": {}, setting: handlers})
        crawler.signals, crawler.spider = SignalManager(), SimpleNamespace(crawler=crawler)
        self.handlers = self.engine.downloader.handlers = DownloadHandlers(crawler)
        self.handlers.clock = self.clock

    def handler(self, **members):
        """Returns a class of handlers, and its log."""
        log = []
        base = CoroutineHandler if BY_COROUTINE else DeferredHandler

        def __init__(self):
            base.__init__(self, log)

        return type("Handler", (base,), {"__init__": __init__, **members}), log

    def download(self, request):
        handlers = self.handlers
        if BY_COROUTINE:
            return self.result(handlers.download_request_async(request))
        return self.result(wait_for(handlers.download_request(request, None)))

    def test_it_is_the_one_that_the_settings_name(self):
        for setting in ("DOWNLOAD_HANDLERS", "DOWNLOAD_HANDLERS_BASE"):
            self.make()
            handler, log = self.handler()
            self.with_handlers(setting, https=handler)
            request, _ = self.admit()
            self.clock.pass_time(6)
            self.assertEqual(self.download(request).url, PAGE)
            self.assertEqual(log, ["made", PAGE])
            self.assertEqual(self.stats["robotrules/asked_again"], 1)

    def test_a_lazy_one_stays_lazy_and_each_is_closed(self):
        lazy, made_late = self.handler(lazy=True)
        handler, made = self.handler()
        self.with_handlers(https=lazy, http=handler)
        request, _ = self.admit()
        self.assertEqual((made_late, made), ([], ["made"]))
        self.download(request)
        self.assertIsInstance(self.handlers._get_handler("https"), lazy)
        send = getattr(self.middleware.crawler.signals, "send_catch_log_async", None)
        if send is None:
            self.middleware.crawler.signals.send_catch_log_deferred(signals.engine_stopped)
        else:
            self.result(send(signals.engine_stopped))
        self.assertEqual((made_late, made), (["made", PAGE, "closed"], ["made", "closed"]))

    def test_an_error_of_the_handler_is_passed_on(self):
        def answer(self, request):
            raise OSError("no route")

        handler, _ = self.handler(answer=answer)
        self.with_handlers(https=handler)
        request, _ = self.admit()
        self.assertEqual(str(self.download(request)), "no route")

    def test_other_schemes_are_not_asked_about(self):
        handler, log = self.handler()
        self.with_handlers(https=handler, data=handler)
        self.admit()
        self.assertEqual(self.download(scrapy.Request("data:,x")).url, "data:,x")
        self.assertEqual(log, ["made", "made", "data:,x"])

    def test_they_are_wrapped_once(self):
        self.with_handlers(https=self.handler()[0])
        name = "download_request_async" if BY_COROUTINE else "download_request"
        self.admit("/a")
        wrapped = vars(self.handlers)[name]
        self.admit("/private")
        self.assertIs(vars(self.handlers)[name], wrapped)

    def test_before_scrapy_2_14_they_return_a_deferred(self):
        seen = []

        def download_request(request, spider):
            seen.append((request.url, spider))
            return succeed(Response(request.url))

        handlers = self.engine.downloader.handlers = SimpleNamespace(download_request=download_request)
        request, _ = self.admit()
        self.clock.pass_time(6)
        self.assertEqual(self.result(wait_for(handlers.download_request(request, "spider"))).url, PAGE)
        self.assertEqual(seen, [(PAGE, "spider")])
        self.assertEqual(self.stats["robotrules/asked_again"], 1)
        other = scrapy.Request("data:,x")
        self.assertTrue(handlers.download_request(other, "spider").called)

    def test_handlers_that_cannot_be_wrapped_get_no_request(self):
        class Closed:
            __slots__ = ()

            def download_request(self, request, spider):
                raise AssertionError("it was sent")

        for downloader in (None, SimpleNamespace(), SimpleNamespace(handlers=None),
                           SimpleNamespace(handlers=SimpleNamespace(fetch=print)), SimpleNamespace(handlers=Closed())):
            self.make()
            self.rules.records.clear()
            self.engine.downloader = downloader
            with self.assertLogs("robotrules.scrapy", logging.ERROR) as log:
                self.assertEqual([self.admit(path)[1].reason for path in ("/a", "/b")], ["downloader"] * 2)
            self.assertEqual(len(log.records), 1)
            self.assertIn("No request is sent", log.output[0])
            self.assertEqual((self.engine.requests, self.rules.asked), ([], []))
            self.assertEqual(self.stats, {"robotrules/downloader": 2})

    def test_a_refusal_is_one_that_scrapy_ignores(self):
        self.engine.downloader = None
        self.assertIsInstance(self.admit()[1], RobotsIgnoreRequest)


async def wait_for(deferred):
    return await deferred


if __name__ == "__main__":
    unittest.main()

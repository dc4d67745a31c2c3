"""The parser and the middleware for Scrapy, among doubles."""
import asyncio
import gzip
import logging
import threading
import unittest
import unittest.mock
import warnings
from types import SimpleNamespace

from scrapy_doubles import HAS_SCRAPY, SITE, Doubled, Turn, robots

if HAS_SCRAPY:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Scrapy and Twisted themselves
        import scrapy
        from scrapy.http.request import NO_CALLBACK
        from scrapy.settings import Settings
        from twisted.internet.defer import Deferred, ensureDeferred

        from robotrules import RobotRulesError
        from robotrules._scrapy_fetch import FETCH_KEY
        from robotrules._scrapy_loop import Loop
        from robotrules._scrapy_site import Patience
        from robotrules._scrapy_site import Settings as SiteSettings
        from robotrules._scrapy_site import open_rules
        from robotrules.scrapy import RobotParser, RobotsIgnoreRequest

HOUR = 3600.0


class Middleware(Doubled):
    def test_robots_txt_is_fetched_once_and_kept(self):
        for path in ("/a", "/b"):
            request, refusal = self.admit(path)
            self.assertIsNone(refusal)
            self.respond(request)
        self.assertEqual(self.engine.requests, [SITE + "/robots.txt"])
        self.assertEqual(self.rules.kept, [(SITE + "/robots.txt", "rules", 86_400.0)])
        self.assertEqual(self.rules.ended, [(True, 200, None), (False, 200, None), (False, 200, None)])

    def test_rfc_9309_2_4_it_is_fetched_again_when_it_is_no_longer_fresh(self):
        self.engine.answers[SITE + "/robots.txt"] = robots(Cache_Control="max-age=600")
        for _ in range(2):
            self.respond(self.admit()[0])
        self.clock.now += 601
        self.engine.answers[SITE + "/robots.txt"] = robots(status=503)
        _, refusal = self.admit()
        self.assertEqual(refusal.reason, "robots-unreachable")
        self.assertEqual(len(self.engine.requests), 2)

    def test_failures_in_a_row_are_further_and_further_apart(self):
        self.engine.answers[SITE + "/robots.txt"] = OSError("no route")
        for _ in range(3):
            self.assertEqual(self.admit()[1].reason, "robots-unreachable")
            self.assertEqual(self.admit()[1].reason, "robots-unreachable")
            self.clock.now += HOUR
        self.assertEqual(len(self.engine.requests), 3)
        waits = [fresh for _, kind, fresh in self.rules.kept]
        for wait, least in zip(waits, (60, 120, 240)):
            self.assertTrue(least <= wait <= least * 1.1, waits)
        self.assertEqual(self.rules.ended, [(True, 0, None)] * 3)

    def test_requests_that_come_together_share_one_fetch(self):
        answer = self.engine.answers[SITE + "/robots.txt"] = Deferred()
        found = []
        requests = [scrapy.Request(f"{SITE}/private/{i}") for i in range(5)]
        for request in requests:
            ensureDeferred(self.middleware.process_request(request)).addBoth(found.append)
        self.assertEqual(found, [])
        answer.callback(robots())
        self.assertEqual([failure.value.reason for failure in found], ["robots-denied"] * 5)
        self.assertEqual(len(self.engine.requests), 1)

    def test_the_gate_is_asked_with_the_longest_interval(self):
        for text, interval in ((b"Crawl-delay: 1", 2), (b"Crawl-delay: 9", 9), (b"Crawl-delay: 9999", 9999),
                               (b"Crawl-delay: 99999", 86400), (b"Request-rate: 1/20", 20), (b"Request-rate: 1/1h", 3600)):
            self.make()
            self.engine.answers[SITE + "/robots.txt"] = robots(body=b"User-agent: *\n" + text + b"\n")
            self.respond(self.admit()[0])
            self.assertEqual(self.rules.asked, [interval])
        self.make(ROBOTRULES_OBEY_CRAWL_DELAY=False)
        self.engine.answers[SITE + "/robots.txt"] = robots(body=b"User-agent: *\nCrawl-delay: 9\n")
        self.respond(self.admit()[0])
        self.assertEqual(self.rules.asked, [2])

    def test_a_request_waits_as_long_as_the_gate_says(self):
        self.rules.answers = [(False, "wait", 7.5, "interval")]
        request, refusal = self.admit()
        self.assertIsNone(refusal)
        self.assertAlmostEqual(sum(self.clock.slept), 7.5, places=3)
        self.assertEqual(len(self.rules.asked), 2)
        self.assertEqual(self.stats["robotrules/waits"], 1)

    def test_a_request_of_another_process_is_waited_for_by_asking_again(self):
        self.rules.answers = [(False, "wait", 240, "in-flight")] * 4
        self.assertIsNone(self.admit()[1])
        self.assertLess(sum(self.clock.slept), 2)

    def test_longer_waits_are_refused(self):
        for answer in ((False, "wait", 3601, "penalty"), (False, "blocked", 1, ""), (True, "wait", 3601, "penalty")):
            self.make()
            self.rules.answers = [answer]
            self.assertEqual(self.admit()[1].reason, "parked")
            self.assertEqual(self.clock.slept, [])
            self.assertIsNone(self.admit()[1], "the turn was given back")

    def test_a_second_request_waits_for_the_end_of_the_first(self):
        first, _ = self.admit("/a")
        found = []
        second = scrapy.Request(SITE + "/b")
        ensureDeferred(self.middleware.process_request(second)).addBoth(found.append)
        self.assertEqual(found, [])
        self.respond(first)
        self.assertEqual(found, [None])

    def test_what_is_forbidden_does_not_wait_for_its_turn(self):
        self.admit("/a")
        self.assertEqual(self.admit("/private")[1].reason, "robots-denied")

    def test_the_end_is_reported_with_retry_after(self):
        for status, headers, ended in ((503, {"Retry_After": "30"}, (False, 503, 30.0)), (200, {}, (False, 200, None))):
            self.respond(self.admit()[0], status, **headers)
            self.assertEqual(self.rules.ended[-1], ended)
        request, _ = self.admit()
        self.result(self.middleware.process_exception(request, TimeoutError()))
        self.assertEqual(self.rules.ended[-1], (False, 0, None))
        request, _ = self.admit()
        self.result(self.middleware.process_exception(request, scrapy.exceptions.IgnoreRequest()))
        self.assertEqual(self.rules.ended[-1], (False, "cancelled", None))

    def test_a_request_without_an_end_gives_its_turn_back(self):
        request, _ = self.admit()
        self.middleware._permits[request].hold.fire()
        self.assertIsNone(self.admit("/b")[1])
        self.respond(request)  # too late: ignored
        self.assertEqual([one for one in self.rules.ended if not one[0]], [])

    def test_the_robots_txt_of_a_target_is_kept_for_the_target_too(self):
        target = "https://other.example/robots.txt"
        self.engine.answers[SITE + "/robots.txt"] = robots(status=301, body=b"", Location=target)
        self.engine.answers[target] = robots(target)
        self.assertEqual(self.admit("/private")[1].reason, "robots-denied")
        self.assertEqual([url for url, *_ in self.rules.kept], [SITE + "/robots.txt", target])

    def test_another_file_of_a_target_is_not(self):
        target = "https://other.example/foo/robots.txt"
        self.engine.answers[SITE + "/robots.txt"] = robots(status=301, body=b"", Location=target)
        self.engine.answers[target] = robots(target)
        self.admit()
        self.assertEqual([url for url, *_ in self.rules.kept], [SITE + "/robots.txt"])

    def test_the_body_that_others_see_is_empty(self):
        from robotrules._scrapy_fetch import _Exchange

        exchange = _Exchange(SITE + "/robots.txt", None, None)
        request = scrapy.Request(SITE + "/robots.txt", meta={FETCH_KEY: exchange})
        packed = robots(body=b"\x1f\x8b...", Content_Encoding="gzip")
        seen = self.result(self.middleware.process_response(request, packed))
        self.assertEqual((seen.body, seen.headers.get("Content-Encoding")), (b"", None))
        self.assertIs(exchange.response, packed)
        self.assertEqual(packed.headers.get("Content-Encoding"), b"gzip")

    def test_a_spider_that_closes_gets_its_requests_back(self):
        self.engine.slot.closing = True
        request, refusal = self.admit()
        self.assertEqual(refusal.reason, "closing")
        self.assertEqual([(again.url, again.dont_filter) for again in self.engine.crawled], [(request.url, True)])
        self.assertEqual(self.engine.requests, [])
        self.assertEqual(self.stats, {"robotrules/closing": 1})

    def test_a_spider_that_closes_does_not_schedule_the_files_of_pipelines(self):
        self.engine.slot.closing = True
        _, refusal = self.admit(callback=NO_CALLBACK)
        self.assertEqual(refusal.reason, "closing")
        self.assertEqual(self.engine.crawled, [])

    def test_rfc_9112_6_3_a_body_may_end_with_the_connection_except_under_tls(self):
        text = b"User-agent: *\nDisallow: /private\n"
        packed = {"Content_Encoding": "gzip"}
        for scheme, flag, body, fields, reason in (
            ("http", "partial", text, {}, "robots-denied"),
            ("http", "dataloss", text, {}, "robots-unreachable"),
            ("http", "partial", gzip.compress(text), packed, "robots-denied"),
            ("http", "partial", gzip.compress(text)[:-1], packed, "robots-unreachable"),
            ("https", "partial", text, {}, "robots-unreachable"),
            ("https", "partial", gzip.compress(text), packed, "robots-denied"),
            ("https", "partial", gzip.compress(text)[:-1], packed, "robots-unreachable"),
        ):
            self.make()
            url = f"{scheme}://example.org/robots.txt"
            self.engine.answers[url] = robots(url, body=body, **fields).replace(flags=[flag])
            request = scrapy.Request(f"{scheme}://example.org/private")
            refusal = self.result(self.middleware.process_request(request))
            self.assertEqual(refusal.reason, reason, (scheme, flag, body))

    def test_a_fetch_whose_hold_has_expired_is_used(self):
        self.rules.complete_error = RobotRulesError("unknown-token", "the token 1 is not valid any more")
        self.assertIsNone(self.admit()[1])
        self.assertEqual(len(self.rules.kept), 1)
        self.assertEqual(self.stats["robotrules/store_errors"], 1)

    def test_an_end_that_the_store_did_not_take_is_reported_again(self):
        self.respond(self.admit()[0])
        request, _ = self.admit()
        self.rules.complete_error = RobotRulesError("store-unreachable", "it has not answered in time")
        self.respond(request, 503, Retry_After="60")
        self.assertEqual(len(self.rules.ended), 2)
        waits = []
        for _ in range(8):
            seconds, again, _ = self.clock.timers.pop()
            waits.append(seconds)
            again()
        self.assertEqual(waits, [1, 2, 4, 8, 16, 30, 30, 30])
        self.rules.complete_error = None
        self.clock.timers.pop()[1]()
        self.assertEqual(self.rules.ended[2:], [(False, 503, 60)])
        self.assertEqual(self.clock.waiting, [])
        self.assertEqual(self.stats["robotrules/store_errors"], 1)

    def test_an_end_that_has_arrived_after_all_is_not_reported_again(self):
        self.respond(self.admit()[0])
        request, _ = self.admit()
        self.rules.complete_error = RobotRulesError("store-unreachable", "it has not answered in time")
        self.respond(request)
        self.rules.complete_error = RobotRulesError("unknown-token", "the token 2 is not valid any more")
        self.clock.timers.pop()[1]()
        self.assertEqual(self.clock.waiting, [])
        self.assertEqual(self.stats["robotrules/store_errors"], 1)

    def test_a_spider_that_closes_reports_no_more_ends(self):
        request, _ = self.admit()
        self.rules.complete_error = RobotRulesError("store-unreachable", "it has not answered in time")
        self.respond(request)
        self.assertIsNone(self.result(self.middleware.spider_closed()))
        self.assertEqual(self.clock.waiting, [])

    def test_robots_txt_is_kept_before_the_gate_opens(self):
        kept_at_the_end = []
        complete = Turn.complete
        Turn.complete = lambda turn, *arguments, **named: (kept_at_the_end.append(len(self.rules.kept)),
                                                           complete(turn, *arguments, **named))
        self.addCleanup(setattr, Turn, "complete", complete)
        self.admit()
        self.assertEqual(kept_at_the_end, [1])

    def test_holds_are_longer_than_the_delays_of_scrapy(self):
        for settings in ({"DOWNLOAD_DELAY": 60}, {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_MAX_DELAY": 60}):
            self.make(DOWNLOAD_TIMEOUT=15, **settings)
            self.admit()
            self.assertEqual(self.rules.holds, [15 + 120 + 30, 15 + 120 + 60])

    def test_concurrent_requests_is_for_robots_txt_too(self):
        self.make(CONCURRENT_REQUESTS=2)
        urls = [f"https://site{i}.example/robots.txt" for i in range(5)]
        for url in urls:
            self.engine.answers[url] = Deferred()
            ensureDeferred(self.middleware.process_request(scrapy.Request(url[: -len("robots.txt")] + "private")))\
                .addErrback(lambda failure: failure.trap(RobotsIgnoreRequest) and None)
        self.assertEqual(self.engine.requests, urls[:2])
        for answered in range(5):
            self.assertEqual(len(self.engine.requests), min(answered + 2, 5))
            url = self.engine.requests[answered]
            self.engine.answers[url].callback(robots(url))
        self.assertEqual(sorted(self.engine.requests), urls)

    def test_concurrent_requests_0_is_no_limit(self):
        self.make(CONCURRENT_REQUESTS=0, ROBOTRULES_MAX_IN_FLIGHT=50)
        self.assertEqual([self.admit(f"/{i}")[1] for i in range(50)], [None] * 50)

    def test_settings_out_of_range_do_not_begin_a_crawl(self):
        for name, value in (("ROBOTRULES_DELAY", -1), ("ROBOTRULES_DELAY", "abc"), ("ROBOTRULES_MAX_RETRY_AFTER", -5),
                            ("ROBOTRULES_MAX_CRAWL_DELAY", "nan"), ("ROBOTRULES_MAX_WAIT", "1 h"),
                            ("ROBOTRULES_MAX_IN_FLIGHT", 0), ("ROBOTRULES_MAX_WAITING", -1),
                            ("DOWNLOAD_TIMEOUT", 40_000_000), ("DOWNLOAD_DELAY", -1)):
            with self.assertRaises(RobotRulesError) as caught:
                self.make(**{name: value})
            self.assertEqual(caught.exception.code, "invalid-argument")
            self.assertIn(name, str(caught.exception))

    def test_a_store_that_fails_is_logged_once_in_a_while(self):
        self.rules.reserve_error = RobotRulesError("store-busy", "another process has locked it")
        with self.assertLogs("robotrules.scrapy", logging.ERROR) as log:
            self.assertEqual([self.admit(f"/{i}")[1].reason for i in range(20)], ["store"] * 20)
        self.assertEqual(len(log.records), 1)
        self.rules.reserve_error = None
        self.assertIsNone(self.admit()[1])

    def test_a_robots_txt_without_an_answer_is_named_once_in_the_log(self):
        self.engine.answers[SITE + "/robots.txt"] = OSError("no route")
        with self.assertLogs("robotrules.scrapy", logging.INFO) as log:
            self.admit()
        self.assertEqual(log.output[0].count("/robots.txt"), 1)

    def test_a_delay_above_the_longest_wait_is_warned_of(self):
        with self.assertLogs("robotrules.scrapy", logging.WARNING) as log:
            self.make(ROBOTRULES_DELAY=700, ROBOTRULES_MAX_WAIT=600)
        self.assertIn("ROBOTRULES_MAX_WAIT is 600 s", log.output[0])

    def test_the_longest_wait_is_an_hour_and_never_less_than_the_delay(self):
        for delay, longest in ((1, 3600), (3600, 3602), (7200, 7202)):
            self.make(ROBOTRULES_DELAY=delay)
            self.assertEqual(self.middleware.settings.max_wait, longest)

    def test_other_schemes_are_not_asked_about(self):
        for url in ("data:,x", "file:///etc/hosts", "s3://bucket/key"):
            self.assertIsNone(self.result(self.middleware.process_request(scrapy.Request(url))))
        self.assertEqual(self.rules.asked, [])

    def test_robots_txt_as_a_page_is_always_allowed(self):
        self.engine.answers[SITE + "/robots.txt"] = robots(body=b"User-agent: *\nDisallow: /\n")
        request, refusal = self.admit("/robots.txt")
        self.assertIsNone(refusal)
        self.assertEqual(self.engine.requests, [])

    def test_refusals_are_requests_that_scrapy_ignores(self):
        self.assertTrue(issubclass(RobotsIgnoreRequest, scrapy.exceptions.IgnoreRequest))
        self.assertIn("forbidden by robots.txt", str(self.admit("/private")[1]))


@unittest.skipUnless(HAS_SCRAPY, "needs Scrapy (python3-scrapy)")
class AStoreThatHangs(unittest.TestCase):
    def test_it_is_left_alone_for_as_long_as_its_failure_took(self):
        now, asked = [100.0], []
        patience = Patience(lambda: now[0])

        def hangs():
            asked.append(now[0])
            now[0] += 5
            raise RobotRulesError("store-busy", "another process has locked it")

        for _ in range(50):
            with self.assertRaises(RobotRulesError) as caught:
                patience.ask(hangs)
            self.assertEqual(caught.exception.code, "store-busy")
        self.assertEqual(asked, [100])
        now[0] += 5
        self.assertEqual(patience.ask(str, 1), "1")


@unittest.skipUnless(HAS_SCRAPY, "needs Scrapy (python3-scrapy)")
class Threads(unittest.TestCase):
    def test_closing_waits_for_calls_while_other_work_goes_on(self):
        async def main():
            loop, answered, closed = Loop(), threading.Event(), []
            call = asyncio.ensure_future(loop.call(answered.wait, 60))
            closing = asyncio.ensure_future(loop.close(lambda: closed.append(answered.is_set())))
            asyncio.get_running_loop().call_later(0.01, answered.set)
            self.assertTrue(await call)
            await closing
            self.assertEqual(closed, [True])

        with unittest.mock.patch("robotrules._scrapy_loop.is_asyncio_available", return_value=True):
            asyncio.run(main())


@unittest.skipUnless(HAS_SCRAPY, "needs Scrapy (python3-scrapy)")
class Memory(unittest.TestCase):
    def test_each_robot_of_a_process_has_one(self):
        def rules_of(agent):
            return open_rules(SiteSettings.of(SimpleNamespace(settings=Settings({"USER_AGENT": agent}), spider=None)))

        first = rules_of("MemoryBot/1.0")
        first.keep(SITE + "/robots.txt", b"User-agent: *\nDisallow: /x\n")
        first.close()
        self.assertIs(rules_of("memorybot/2.0").allowed(SITE + "/x"), False)
        self.assertIsNone(rules_of("OtherBot").allowed(SITE + "/x"))


@unittest.skipUnless(HAS_SCRAPY, "needs Scrapy (python3-scrapy)")
class Parser(unittest.TestCase):
    def test_it_answers_as_rfc_9309_says(self):
        text = b"User-agent: *\nDisallow: /x\nCrawl-delay: 2.5\n\nUser-agent: foobot\nAllow: /\n"
        parser = RobotParser.from_crawler(None, text)
        self.assertFalse(parser.allowed("https://example.org/x", "OtherBot/1.0"))
        self.assertTrue(parser.allowed(b"https://example.org/x", b"Mozilla/5.0 (compatible; FooBot/2.1)"))
        self.assertEqual(parser.crawl_delay("OtherBot"), 2.5)
        self.assertIsNone(parser.crawl_delay("FooBot"))

    def test_bytes_that_are_not_utf_8_are_read(self):
        parser = RobotParser.from_crawler(None, b"\xff\nUser-agent: *\nDisallow: /x\xe4\n")
        self.assertTrue(parser.allowed("https://example.org/x", "FooBot"))
        self.assertFalse(parser.allowed("https://example.org/x%E4", "FooBot"))


if __name__ == "__main__":
    unittest.main()

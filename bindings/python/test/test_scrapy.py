"""The parser and the middleware for Scrapy, with a clock that moves only when the middleware waits."""
import importlib.util
import logging
import unittest
import warnings
from types import SimpleNamespace

HAS_SCRAPY = importlib.util.find_spec("scrapy") is not None
if HAS_SCRAPY:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Scrapy and Twisted themselves
        import scrapy
        from scrapy.http import Response
        from scrapy.settings import Settings
        from twisted.internet.defer import Deferred, ensureDeferred

        from robotrules._scrapy_fetch import FETCH_KEY
        from robotrules.scrapy import RobotParser, RobotRulesMiddleware, RobotsIgnoreRequest

SITE = "https://example.org"
START = 1_700_000_000.0
HOUR = 3600.0


class Clock:
    """Stands for Loop: calls functions at once, and waits by moving its time."""

    def __init__(self):
        self.now = START
        self.slept = []

    async def call(self, function, *arguments):
        return function(*arguments)

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def later(self, seconds, function):
        return SimpleNamespace(cancel=lambda: None, fire=function)

    @staticmethod
    def awaitable(deferred):
        return deferred

    def close(self):
        pass


class Turn:
    """Stands for Reservation."""

    def __init__(self, rules, answer, until, why="", robots_fetch=False):
        self.rules, self.answer, self.until, self.why, self.robots_fetch = rules, answer, until, why, robots_fetch
        self.granted = answer == "granted"

    def complete(self, status, retry_after=None, latency=0):
        self.rules.ended.append((self.robots_fetch, status, retry_after))

    def cancel(self):
        self.rules.ended.append((self.robots_fetch, "cancelled", None))


class Rules:
    """Stands for RobotRules and its store. answers: what the gate says, one after the other; then it grants."""

    def __init__(self, clock):
        self.clock = clock
        self.store = self
        self.policy = ""
        self.records = {}  # robots URL: (kind, until, body)
        self.kept = []
        self.asked = []  # intervals, of pages
        self.ended = []
        self.answers = []

    def now(self):
        return self.clock.now

    def _record(self, url):
        record = self.records.get("/".join(url.split("/")[:3]) + "/robots.txt")
        return record if record and record[1] >= self.clock.now else None

    def check(self, url):
        record = self._record(url)
        if record is None:
            return SimpleNamespace(allowed=None, state="unknown")
        if record[0] == "rules":
            from robotrules import Rules as Compiled

            return SimpleNamespace(allowed=Compiled.compile(record[2], "FooBot").allowed(url), state="rules")
        allowed = record[0] == "unavailable"
        return SimpleNamespace(allowed=allowed, state="allow-all" if allowed else "disallow-all")

    def rules_for(self, url):
        from robotrules import Rules as Compiled

        record = self._record(url)
        return Compiled.compile(record[2], "FooBot") if record and record[0] == "rules" else None

    def keep(self, url, body, fresh_for):
        self.kept.append((url, "rules", fresh_for))
        self.records[url] = ("rules", self.clock.now + fresh_for, body)

    def keep_outcome(self, url, outcome, status, fresh_for):
        self.kept.append((url, outcome, fresh_for))
        self.records[url] = (outcome, self.clock.now + fresh_for, b"")

    def reserve(self, key, *, interval, robots_fetch, **_):
        if not robots_fetch:
            self.asked.append(interval)
        if self.answers and self.answers[0][0] == robots_fetch:
            _, answer, wait, why = self.answers.pop(0)
            return Turn(self, answer, self.clock.now + wait, why, robots_fetch)
        return Turn(self, "granted", self.clock.now + 300, robots_fetch=robots_fetch)

    def close(self):
        pass


class Engine:
    """Answers requests for robots.txt: by URL, a Response, an exception, or a Deferred of these."""

    def __init__(self):
        self.answers = {}
        self.requests = []
        self.slot = SimpleNamespace(closing=None, nextcall=SimpleNamespace(schedule=lambda: None))

    async def download_async(self, request):
        self.requests.append(request.url)
        answer = self.answers[request.url]
        if isinstance(answer, Deferred):
            answer = await answer
        if isinstance(answer, Exception):
            raise answer
        return await self.middleware.process_response(request, answer)


def robots(url=SITE + "/robots.txt", status=200, body=b"User-agent: *\nDisallow: /private\n", **headers):
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(url, status=status, body=body, headers=fields)


@unittest.skipUnless(HAS_SCRAPY, "needs Scrapy (python3-scrapy)")
class Middleware(unittest.TestCase):
    def setUp(self):
        logging.getLogger("robotrules.scrapy").setLevel(logging.CRITICAL)
        self.make()

    def make(self, **settings):
        self.clock = Clock()
        self.rules = Rules(self.clock)
        self.engine = Engine()
        self.stats = {}

        def inc_value(name, by=1):
            self.stats[name] = self.stats.get(name, 0) + by

        crawler = SimpleNamespace(
            settings=Settings({"USER_AGENT": "FooBot/1.0", "ROBOTRULES_DELAY": 2, **settings}), spider=None,
            engine=self.engine, stats=SimpleNamespace(inc_value=inc_value),
        )
        self.middleware = self.engine.middleware = RobotRulesMiddleware(crawler, self.rules, self.clock)
        self.engine.answers[SITE + "/robots.txt"] = robots()

    def result(self, coroutine):
        """Returns what a coroutine returns, which must be done; an exception is returned too."""
        found = []
        ensureDeferred(coroutine).addBoth(found.append)
        self.assertEqual(len(found), 1, "the coroutine waits")
        return getattr(found[0], "value", found[0])

    def admit(self, path="/", **named):
        request = scrapy.Request(SITE + path, **named)
        return request, self.result(self.middleware.process_request(request))

    def respond(self, request, status=200, **headers):
        response = robots(request.url, status, b"a page", **headers)
        self.assertIs(self.result(self.middleware.process_response(request, response)), response)

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
        for text, interval in ((b"Crawl-delay: 1", 2), (b"Crawl-delay: 9", 9), (b"Crawl-delay: 9999", 300),
                               (b"Request-rate: 1/20", 20)):
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
        for answer in ((False, "wait", 601, "penalty"), (False, "blocked", 1, ""), (True, "wait", 601, "penalty")):
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
        self.middleware._permits[request].timer.fire()
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

        exchange = _Exchange()
        request = scrapy.Request(SITE + "/robots.txt", meta={FETCH_KEY: exchange})
        packed = robots(body=b"\x1f\x8b...", Content_Encoding="gzip")
        seen = self.result(self.middleware.process_response(request, packed))
        self.assertEqual((seen.body, seen.headers.get("Content-Encoding")), (b"", None))
        self.assertIs(exchange.response, packed)
        self.assertEqual(packed.headers.get("Content-Encoding"), b"gzip")

    def test_a_spider_that_closes_gets_its_requests_back(self):
        self.engine.slot.closing = True
        request, again = self.admit()
        self.assertEqual((again.url, again.dont_filter), (request.url, True))
        self.assertEqual(self.engine.requests, [])

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

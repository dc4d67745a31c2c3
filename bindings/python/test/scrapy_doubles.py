"""Doubles for tests of the middleware for Scrapy: a store, an engine, and a clock that moves only while it waits."""
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

        from robotrules import RobotRulesError, RobotsFetch, robots_url
        from robotrules.scrapy import RobotRulesMiddleware

SITE = "https://example.org"
START = 1_700_000_000.0


class Clock:
    """Stands for Loop: calls functions at once, and waits by moving its time."""

    def __init__(self):
        self.now = START
        self.slept = []
        self.timers = []  # [seconds, function, was cancelled]
        self.due = []  # (when, timer)

    async def call(self, function, *arguments):
        return function(*arguments)

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def later(self, seconds, function):
        timer = [seconds, function, False]
        self.timers.append(timer)
        self.due.append((self.now + seconds, timer))
        return SimpleNamespace(cancel=lambda: timer.__setitem__(2, True), fire=function)

    def pass_time(self, seconds):
        """Moves the time while other work goes on: timers call their functions."""
        end = self.now + seconds
        while True:
            due = [one for one in self.due if one[0] <= end and not one[1][2]]
            if not due:
                break
            first = min(due, key=lambda one: one[0])
            self.due.remove(first)
            self.now = first[0]
            first[1][1]()
        self.now = end

    @property
    def waiting(self):
        """The seconds of the timers whose function is still to be called."""
        return [timer[0] for _, timer in self.due if timer in self.timers and not timer[2]]

    @staticmethod
    def begin(work):
        ensureDeferred(work)

    @staticmethod
    def awaitable(deferred):
        return deferred

    async def close(self, last):
        last()


class Turn:
    """Stands for Reservation."""

    def __init__(self, rules, answer, until, why="", robots_fetch=False):
        self.rules, self.answer, self.until, self.why, self.robots_fetch = rules, answer, until, why, robots_fetch
        self.granted = answer == "granted"
        self.asked_at = rules.clock.now

    def may_send(self):
        if self.rules.clock.now - self.asked_at > 2:
            self.cancel()
            raise RobotRulesError("too-late", "call reserve() again")

    def complete(self, status, retry_after=None, latency=0):
        if self.rules.complete_error:
            raise self.rules.complete_error
        self.rules.latencies.append(latency)
        self.rules.ended.append((self.robots_fetch, status, retry_after))

    def fail(self, cause):
        if self.rules.complete_error:
            raise self.rules.complete_error
        self.rules.ended.append((self.robots_fetch, f"failed: {cause}", None))

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
        self.begun = []  # (fetch, robots URL)
        self.fetches = {}  # robots URL: the last fetch
        self.asked = []  # intervals, of pages
        self.ended = []
        self.answers = []
        self.holds = []
        self.complete_error = None
        self.reserve_error = None
        self.reserve_takes = []  # seconds until the answer is there, one after the other
        self.latencies = []

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

    def fetch(self, url):
        fetch = RobotsFetch(url, last=self.fetches.get(url), now=self.clock.now)
        self.begun.append((fetch, url))
        return fetch

    def keep_fetch(self, fetch):
        url = next(url for begun, url in self.begun if begun is fetch)
        self.fetches[url] = fetch
        sites = [url]
        if fetch.outcome == "rules" and fetch.url != url and fetch.url == robots_url(fetch.url):
            sites.append(fetch.url)
        for site in sites:
            self.kept.append((site, fetch.outcome, fetch.fresh_until - self.clock.now))
            self.records[site] = (fetch.outcome, fetch.fresh_until, fetch.robots)

    def reserve(self, key, *, interval, robots_fetch, hold, **_):
        self.holds.append(hold)
        if self.reserve_error:
            raise self.reserve_error
        if not robots_fetch:
            self.asked.append(interval)
        if self.answers and self.answers[0][0] == robots_fetch:
            _, answer, wait, why = self.answers.pop(0)
            return Turn(self, answer, self.clock.now + wait, why, robots_fetch)
        turn = Turn(self, "granted", self.clock.now + 300, robots_fetch=robots_fetch)
        if self.reserve_takes:
            self.clock.now += self.reserve_takes.pop(0)
        return turn

    def close(self):
        pass


class Handlers:
    """Stands for the DownloadHandlers of Scrapy 2.14 and later. sent: what they were given, and when."""

    def __init__(self, clock):
        self.clock = clock
        self.answers = {}
        self.sent = []

    async def download_request_async(self, request):
        self.sent.append((request.url, self.clock.now - START))
        answer = self.answers.get(request.url, Response(request.url, body=b"a page"))
        if isinstance(answer, Deferred):
            answer = await answer
        if isinstance(answer, Exception):
            raise answer
        return answer


class Engine:
    """Downloads with the doubles above. answers: by URL, a Response, an exception, or a Deferred of these."""

    def __init__(self, clock):
        handlers = Handlers(clock)
        self.answers, self.sent = handlers.answers, handlers.sent
        self.downloader = SimpleNamespace(handlers=handlers, active=set())
        self.requests = []
        self.in_slot = {}  # by URL: seconds that the slot holds a request
        self.crawled = []  # what the scheduler got
        self.crawl = self.crawled.append
        self.slot = SimpleNamespace(closing=None, nextcall=SimpleNamespace(schedule=lambda: None))

    async def download_async(self, request):
        self.requests.append(request.url)
        return await self.through_the_slot(request)

    async def through_the_slot(self, request):
        """What Scrapy does after the last process_request()."""
        handlers = self.downloader.handlers
        handlers.clock.pass_time(self.in_slot.get(request.url, 0))
        try:
            answer = await handlers.download_request_async(request)
        except Exception as error:
            again = await self.middleware.process_exception(request, error)
            if again is not None:
                return again
            raise
        return await self.middleware.process_response(request, answer)


def robots(url=SITE + "/robots.txt", status=200, body=b"User-agent: *\nDisallow: /private\n", **headers):
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(url, status=status, body=body, headers=fields)


@unittest.skipUnless(HAS_SCRAPY, "needs Scrapy (python3-scrapy)")
class Doubled(unittest.TestCase):
    """A middleware among doubles, and what it does with requests."""

    def setUp(self):
        logging.getLogger("robotrules.scrapy").setLevel(logging.CRITICAL)
        self.make()

    def make(self, **settings):
        self.clock = Clock()
        self.rules = Rules(self.clock)
        self.engine = Engine(self.clock)
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

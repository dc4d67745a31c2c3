"""The middleware for Scrapy over stores in Redis and PostgreSQL, also when the server hangs."""
import json
import threading
import time
import unittest

from robotrules import RobotRules
from servers import Servers, Way
from test_scrapy_crawl import (ASYNCIO, JITTER, NO_PRIVATE, SELECT, SOAK, TAKES_MINUTES, Crawls as _Crawls, Reply, begin,
                               end)

ENDS = 60  # seconds; the end of a crawl whose store hangs: the timeouts of a few calls
PAGES = 8


class _Crawl:
    """A crawl under way, with its log so far."""

    def __init__(self, process):
        self._process = process
        self._lines = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self._process.stderr:
            self._lines.append(line.decode(errors="replace"))

    @property
    def log(self):
        return "".join(self._lines)

    def end(self):
        out = self._process.stdout.read()
        self._process.wait(120)
        self._reader.join()
        if self._process.returncode != 0:
            raise AssertionError(self.log)
        return json.loads(out)

    def kill(self):
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdout, self._process.stderr):
            stream.close()


class _OverServers(_Crawls, Servers):
    """What is true for every server. A subclass has server(), which starts one, and name() of its store."""

    def settings(self, port, **more):
        return {**self.reactor, "ROBOTRULES_STORE": self.name(port), "ROBOTRULES_DELAY": 0.2, "DOWNLOAD_TIMEOUT": 5,
                **more}

    def begun_and_cut(self, **more):
        """Begins a crawl, and cuts the way to its server behind the third page."""
        self.their_site = self.site(Reply(200, NO_PRIVATE))
        self.urls = [f"{self.their_site.url}/{i}" for i in range(PAGES)]
        self.way = Way(self.server())
        self.addCleanup(self.way.close)
        private = f"{self.their_site.url}/private/x"
        crawl = _Crawl(begin([*self.urls, private], self.settings(self.way.port), **more))
        self.addCleanup(crawl.kill)
        self.until(lambda: len(self.their_site.pages) >= 3, "three pages")
        self.way.cut()
        return crawl

    def until(self, condition, what):
        deadline = time.monotonic() + ENDS
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.005)

    def opened_nothing(self, site):
        self.assertFalse([path for path in site.paths if path.startswith("/private")])
        self.assertEqual(site.paths.count("/robots.txt"), 1)
        self.assertEqual(site.paths[0], "/robots.txt")
        self.keeps_distance(site.pages, 0.2)

    def test_processes_that_share_a_server_keep_the_delay_together(self):
        site = self.site(Reply(200, NO_PRIVATE))
        settings = self.settings(self.server())
        crawls = [begin([f"{site.url}/{name}{i}" for i in range(5)] + [f"{site.url}/private/{name}"], settings, again=True)
                  for name in "abcd"]
        for process in crawls:
            made, log = end(process)
            self.assertEqual(made["stats"].get("robotrules/robots-denied"), 1, log)
        self.assertEqual(len(site.pages), 20)
        self.opened_nothing(site)

    def test_a_crawl_goes_on_when_its_server_is_back(self):
        crawl = self.begun_and_cut(again=True)
        self.until(lambda: "The store fails" in crawl.log, "a line of the log about the store")
        self.assertLessEqual(len(self.their_site.pages), 4)  # the fourth was let through when the way was cut
        self.way.mend()
        mended_at = time.monotonic()
        got = crawl.end()["urls"]
        self.assertEqual([got.pop(url).get("status") for url in self.urls], [200] * PAGES, crawl.log)
        self.assertEqual(list(got.values()), [{"failed": "robots-denied"}])
        self.assertEqual(len(self.their_site.pages), PAGES)
        self.opened_nothing(self.their_site)
        self.assertLess(time.monotonic() - mended_at, 45)  # not the hold of a request whose end could not be reported


class _Ends(_OverServers):
    """What is the same with each reactor."""

    reactor = SELECT

    def test_a_crawl_ends_with_the_reason_if_its_server_stays_away(self):
        crawl = self.begun_and_cut()
        cut_at = time.monotonic()
        said = crawl.end()
        self.assertLess(time.monotonic() - cut_at, ENDS)
        lost = [url for url in self.urls if said["urls"][url] == {"failed": "store"}]
        made = [url for url in self.urls if said["urls"][url].get("status") == 200]
        self.assertEqual(len(made) + len(lost), PAGES, said)
        self.assertGreaterEqual(len(lost), PAGES - 4)
        self.assertLessEqual(len(self.their_site.pages), 4)
        self.opened_nothing(self.their_site)
        self.assertGreaterEqual(said["stats"]["robotrules/store"], len(lost))
        self.assertEqual(said["stats"]["finish_reason"], "finished")
        self.assertRegex(crawl.log, r"The store fails, so http://127.0.0.1:\d+/\w+ is not requested: .*cannot be reached")

    def test_a_server_that_does_not_answer_ends_the_crawl_before_it_begins(self):
        site = self.site()
        way = Way(self.server())
        self.addCleanup(way.close)
        way.cut()
        process = begin([site.url + "/"], self.settings(way.port))
        begun_at = time.monotonic()
        _, log = process.communicate(timeout=ENDS)
        self.assertLess(time.monotonic() - begun_at, ENDS)
        self.assertIn(b"RobotRulesError", log)
        self.assertIn(b"cannot be reached", log)
        self.assertEqual(site.paths, [])


class _OverRedis(_OverServers):
    def server(self):
        return self.redis()

    def name(self, port):
        return f"redis://127.0.0.1:{port}/0?first_ever=1"


class _OverPostgreSQL(_OverServers):
    def server(self):
        return self.postgresql()

    def name(self, port):
        return f"postgresql://tester@127.0.0.1:{port}/postgres"


class _Losses(_Crawls, Servers):
    """Processes whose permits Redis forgets, while slots of Scrapy hold the requests."""

    crawls, hosts, pages, delay, losses = 3, 8, 8, 6, 6
    more = {}

    @unittest.skipUnless(SOAK, TAKES_MINUTES)
    def test_no_page_is_early_and_all_come(self):
        hosts = [f"127.0.0.{host + 1}" for host in range(self.hosts)]
        sites = [self.site(Reply(200, NO_PRIVATE), host=host) for host in hosts for _ in "ab"]
        urls = [f"{site.url}/{i}" for i in range(self.pages) for site in sites]
        port = self.redis()
        name = f"redis://127.0.0.1:{port}/0"
        with RobotRules("FooBot", f"{name}?first_ever=1") as rules:
            for site in sites:
                rules.keep(f"{site.url}/robots.txt", NO_PRIVATE)
        self.save_redis(port)
        settings = {**self.reactor, "ROBOTRULES_STORE": name, "DOWNLOAD_TIMEOUT": 20, "CONCURRENT_REQUESTS": 100,
                    "DOWNLOAD_DELAY": self.delay, "ROBOTRULES_DELAY": self.delay, **self.more}
        crawls = [_Crawl(begin(urls[which::self.crawls], settings, again=True)) for which in range(self.crawls)]
        for crawl in crawls:
            self.addCleanup(crawl.kill)

        def until(pages):
            deadline = time.monotonic() + 600
            while sum(len(site.pages) for site in sites) < pages:
                self.assertLess(time.monotonic(), deadline, f"{pages} pages")
                time.sleep(0.02)

        for loss in range(1, self.losses + 1):
            until(len(urls) * loss // (self.losses + 2))
            self.lose_writes_of_redis()
        ends = [crawl.end() for crawl in crawls]
        asked_again = sum(end["stats"].get("robotrules/asked_again", 0) for end in ends)
        early = 0
        for site in sites:
            entries = sorted(site.pages, key=lambda entry: entry[1])
            early += sum(after[1] - before[2] < self.delay - JITTER for before, after in zip(entries, entries[1:]))
        came = [site.url + path for site in sites for path, *_ in site.pages]
        print(f"{len(came)} of {len(urls)} pages, {early} early, {asked_again} asked the gate again", end=" ... ")
        failed = [found for end in ends for found in end["urls"].values() if found.get("status") != 200]
        self.assertEqual(failed, [])
        self.assertEqual(sorted(came), sorted(urls))
        self.assertEqual(early, 0)
        self.assertGreater(asked_again, 0)


class Losses(_Losses):
    pass


class LossesWithAsyncio(_Losses):
    reactor = ASYNCIO
    more = {"CONCURRENT_REQUESTS_PER_DOMAIN": 1}  # as a project of Scrapy begins: a request that waits holds up its slot


class Redis(_OverRedis, _Ends):
    pass


@unittest.skipUnless(SOAK, TAKES_MINUTES)
class RedisWithAsyncio(_OverRedis):
    reactor = ASYNCIO


class PostgreSQL(_OverPostgreSQL, _Ends):
    pass


@unittest.skipUnless(SOAK, TAKES_MINUTES)
class PostgreSQLWithAsyncio(_OverPostgreSQL):
    reactor = ASYNCIO


def load_tests(loader, tests, pattern):
    """Without the bases, which have no server."""
    every = (Redis, RedisWithAsyncio, PostgreSQL, PostgreSQLWithAsyncio, Losses, LossesWithAsyncio)
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in every)


if __name__ == "__main__":
    unittest.main()

"""The middleware for Scrapy in real crawls of sites on loopback, whose log is the witness."""
import gzip
import importlib.util
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CRAWL = pathlib.Path(__file__).with_name("crawl.py")
ASYNCIO = {"TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor"}
SELECT = {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"}
OPEN = b"User-agent: *\nDisallow:\n"
NO_PRIVATE = b"User-agent: *\nDisallow: /private\n"
JITTER = 0.005
SOAK = os.environ.get("ROBOTRULES_SOAK")
TAKES_MINUTES = "it takes minutes: set ROBOTRULES_SOAK=1"


class Reply:
    def __init__(self, status=200, body=b"a page", headers=(), cut=False, hang=False, takes=0.0, version=None):
        self.status = status
        self.body = body
        self.headers = dict(headers)
        self.cut = cut  # the connection ends in the middle of the body
        self.hang = hang  # there is no answer
        self.takes = takes
        self.version = version  # "HTTP/1.0": the body ends with the connection


class Site:
    """A server on a free port of loopback with a robots.txt and pages. log: (path, begun, ended, headers)."""

    def __init__(self, robots=Reply(200, OPEN), pages=None, host="127.0.0.1"):
        self.log = []
        site = self
        self.replies = {"/robots.txt": robots, **(pages or {})}
        self.ends = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                begun = time.monotonic()
                entry = [self.path, begun, begun, dict(self.headers)]
                site.log.append(entry)
                reply = site.replies.get(self.path, Reply())
                if isinstance(reply, list):  # one after the other
                    reply = reply.pop(0) if len(reply) > 1 else reply[0]
                if reply.hang:
                    site.ends.wait(30)
                    self.close_connection = True
                    return
                if reply.takes:
                    site.ends.wait(reply.takes)
                entry[2] = time.monotonic()
                self.protocol_version = reply.version or "HTTP/1.1"
                self.close_connection = reply.version is not None
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if reply.version is None:
                    self.send_header("Content-Length", str(len(reply.body) + (100 if reply.cut else 0)))
                self.end_headers()
                try:
                    self.wfile.write(reply.body)
                except OSError:  # the client has read enough
                    pass
                if reply.cut:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer((host, 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://{host}:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def close(self):
        self.ends.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    @property
    def paths(self):
        return [path for path, *_ in self.log]

    @property
    def pages(self):
        return [entry for entry in self.log if entry[0] != "/robots.txt"]


def begin(urls, settings, **more):
    """Starts a crawl; see end()."""
    process = subprocess.Popen(
        [sys.executable, "-B", str(CRAWL)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "no_proxy": "*"},
    )
    task = {"urls": urls, "settings": {"ROBOTRULES_DELAY": 0.05, **settings}, **more}
    process.stdin.write(json.dumps(task).encode())
    process.stdin.close()
    process.stdin = None
    return process


def end(process):
    out, log = process.communicate(timeout=120)
    if process.returncode != 0:
        raise AssertionError(log.decode(errors="replace"))
    return json.loads(out), log.decode(errors="replace")


@unittest.skipIf(importlib.util.find_spec("scrapy") is None, "needs Scrapy (python3-scrapy)")
class Crawls(unittest.TestCase):
    """What all tests need."""

    reactor = SELECT

    def site(self, *arguments, **named):
        site = Site(*arguments, **named)
        self.addCleanup(site.close)
        return site

    def crawl(self, urls, settings=None, **more):
        made, self.log = end(begin(urls, {**self.reactor, **(settings or {})}, **more))
        self.assertNotIn("Traceback", self.log)
        self.stats = made["stats"]
        return made["urls"]

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name

    def keeps_distance(self, entries, delay):
        entries = sorted(entries, key=lambda entry: entry[1])
        for before, after in zip(entries, entries[1:]):
            self.assertGreaterEqual(after[1] - before[2], delay - JITTER, f"{before[0]}, then {after[0]}")


class Crawl(Crawls):
    def test_robots_txt_is_asked_for_by_the_robot_itself(self):
        site = self.site()
        self.crawl([site.url + "/"], {"COOKIES_ENABLED": True})
        headers = site.log[0][3]
        self.assertEqual(headers["User-Agent"], "FooBot/1.0 (+https://example.org/foobot)")
        self.assertEqual(headers["Accept-Encoding"], "gzip")

    def test_rfc_9110_10_2_3_retry_after_is_a_pause(self):
        busy = Reply(503, b"", {"Retry-After": "1"})
        site = self.site(pages={"/a": [busy, Reply()]})
        got = self.crawl([site.url + "/a", site.url + "/b"], {"RETRY_ENABLED": True, "CONCURRENT_REQUESTS": 1})
        self.assertEqual(got[site.url + "/a"]["status"], 200)
        first = site.pages[0]
        self.assertEqual(first[0], "/a")
        for entry in site.pages[1:]:
            self.assertGreaterEqual(entry[1] - first[2], 1 - JITTER)

    def test_a_site_that_asks_for_a_longer_pause_is_left_alone(self):
        site = self.site(pages={"/a": Reply(429, b"", {"Retry-After": "3600"})})
        got = self.crawl([site.url + "/a", site.url + "/b"], {"ROBOTRULES_MAX_WAIT": 2})
        self.assertEqual(got[site.url + "/b"], {"failed": "parked"})
        self.assertEqual(site.paths, ["/robots.txt", "/a"])

    def test_a_site_that_gives_no_answer_pauses_and_its_page_comes_after_all(self):
        site = self.site(pages={"/a": [Reply(cut=True), Reply()]})
        got = self.crawl([site.url + "/a"], {"RETRY_ENABLED": True})
        self.assertEqual(got[site.url + "/a"]["status"], 200)
        self.assertEqual(site.paths, ["/robots.txt", "/a", "/a"])
        self.keeps_distance(site.pages, 5)

    def test_a_site_that_gives_no_answer_is_left_alone_if_the_pause_is_longer_than_the_longest_wait(self):
        site = self.site(pages={"/a": Reply(hang=True)})
        urls = [site.url + "/a", site.url + "/b"]
        got = self.crawl(urls, {"DOWNLOAD_TIMEOUT": 1, "ROBOTRULES_MAX_WAIT": 3, "CONCURRENT_REQUESTS": 1})
        self.assertEqual(got[urls[1]], {"failed": "parked"})
        self.assertEqual(site.paths, ["/robots.txt", "/a"])

    def test_redirects_of_pages_are_asked_about_again(self):
        site = self.site(Reply(200, NO_PRIVATE), {"/a": Reply(302, b"", {"Location": "/private/x"}),
                                                  "/b": Reply(302, b"", {"Location": "/c"})})
        got = self.crawl([site.url + "/a", site.url + "/b"], {"ROBOTRULES_DELAY": 0.2})
        self.assertEqual(got[site.url + "/a"], {"failed": "robots-denied"})
        self.assertEqual(got[site.url + "/b"]["status"], 200)
        self.assertEqual(sorted(site.paths), ["/a", "/b", "/c", "/robots.txt"])
        self.keeps_distance(site.pages, 0.2)

    def test_x_robots_tag_is_in_the_meta_of_the_response(self):
        site = self.site(pages={"/a": Reply(headers={"X-Robots-Tag": "foobot: noindex, nofollow"}),
                                "/b": Reply(headers={"X-Robots-Tag": "otherbot: noindex"})})
        got = self.crawl([f"{site.url}/{name}" for name in "abc"])
        self.assertEqual(got[site.url + "/a"]["rules"]["noindex"], True)
        self.assertEqual(got[site.url + "/a"]["rules"]["nofollow"], True)
        self.assertEqual(got[site.url + "/b"]["rules"]["noindex"], False)
        self.assertIsNone(got[site.url + "/c"]["rules"])
        self.assertEqual(self.stats["robotrules/noindex"], 1)

    def test_a_request_cannot_hide_the_robot_or_the_site(self):
        site = self.site()
        urls = [f"{site.url}/{name}" for name in "abcd"]
        headers = {urls[0]: {"User-Agent": "Mozilla/5.0 (compatible; OtherBot/2.0)"},
                   urls[1]: {"Host": "other.example"},
                   urls[2]: {"User-Agent": "Mozilla/5.0 (compatible; foobot/2.0)"}}
        got = self.crawl(urls, headers=headers)
        self.assertEqual([got[url].get("failed") for url in urls], ["invalid-request", "invalid-request", None, None])
        self.assertEqual(sorted(site.paths), ["/c", "/d", "/robots.txt"])
        got = self.crawl(urls[:1], {"ROBOTSTXT_USER_AGENT": "FooBot"}, headers=headers)
        self.assertEqual(got[urls[0]]["status"], 200)

    def test_dont_obey_robotstxt_still_keeps_the_delay(self):
        site = self.site(Reply(200, b"User-agent: *\nDisallow: /\n"))
        urls = [f"{site.url}/{i}" for i in range(3)]
        got = self.crawl(urls, {"ROBOTRULES_DELAY": 0.2}, meta={url: {"dont_obey_robotstxt": True} for url in urls})
        self.assertEqual([got[url]["status"] for url in urls], [200] * 3)
        self.assertEqual(len(site.log), 3)
        self.keeps_distance(site.log, 0.2)

    def test_robotstxt_obey_off_turns_it_off(self):
        site = self.site(Reply(200, b"User-agent: *\nDisallow: /\n"))
        self.assertEqual(self.crawl([site.url + "/"], {"ROBOTSTXT_OBEY": False})[site.url + "/"]["status"], 200)
        self.assertEqual(site.paths, ["/"])

    def test_a_later_crawl_uses_the_robots_txt_in_the_store(self):
        site = self.site(Reply(200, NO_PRIVATE))
        settings = {"ROBOTRULES_STORE": os.path.join(self.folder(), "crawl.db")}
        for name in ("/a", "/b"):
            self.assertEqual(self.crawl([site.url + name], settings)[site.url + name]["status"], 200)
        self.assertEqual(site.paths, ["/robots.txt", "/a", "/b"])

    def test_the_last_good_copy_holds_while_the_site_fails(self):
        site = self.site([Reply(200, NO_PRIVATE, {"Cache-Control": "max-age=0"}), Reply(503)])
        store = os.path.join(self.folder(), "crawl.db")
        settings = {"ROBOTRULES_STORE": store}
        self.crawl([site.url + "/a"], settings)
        from robotrules import RobotRules

        with RobotRules("FooBot", store) as rules:  # as if the site had failed when the copy was no longer fresh
            rules.keep_outcome(site.url + "/robots.txt", "unreachable", 503, 3600)
        got = self.crawl([site.url + "/b", site.url + "/private/x"], settings)
        self.assertEqual(got[site.url + "/b"]["status"], 200)
        self.assertEqual(got[site.url + "/private/x"], {"failed": "robots-denied"})

    def test_a_store_that_cannot_be_opened_ends_the_crawl(self):
        site = self.site()
        process = begin([site.url + "/"], {**self.reactor, "ROBOTRULES_STORE": "/nowhere/at/all/crawl.db"})
        _, log = process.communicate(timeout=120)
        self.assertIn(b"RobotRulesError", log)
        self.assertEqual(site.paths, [])


class WithAReactor(Crawls):
    """What the waits and the threads depend on, without asyncio."""

    def test_rfc_9309_2_3_1_what_becomes_of_a_robots_txt_decides(self):
        free = socket.socket()
        free.bind(("127.0.0.1", 0))  # a port that nothing listens on
        self.addCleanup(free.close)
        other = self.site(Reply(200, b"User-agent: *\nDisallow: /news\n"), {"/shared.txt": Reply(200, NO_PRIVATE)})
        loop = Reply(302, b"", {"Location": "/robots.txt"})
        huge = b"User-agent: *\nDisallow: /early\n" + b"# nothing\n" * 60_000 + b"Disallow: /late\n"
        sites = {
            "rules": (self.site(Reply(200, NO_PRIVATE)), {"/": 200, "/private/x": "robots-denied"}),
            "http/1.0": (self.site(Reply(200, NO_PRIVATE, version="HTTP/1.0")),
                         {"/": 200, "/private/x": "robots-denied"}),
            "html": (self.site(Reply(200, NO_PRIVATE, {"Content-Type": "text/html"})),
                     {"/": 200, "/private/x": "robots-denied"}),
            "packed": (self.site(Reply(200, gzip.compress(NO_PRIVATE), {"Content-Encoding": "gzip"})),
                       {"/": 200, "/private/x": "robots-denied"}),
            "huge": (self.site(Reply(200, huge)), {"/early": "robots-denied", "/late": 200}),
            "moved": (self.site(Reply(301, b"", {"Location": other.url + "/shared.txt"})),
                      {"/news": 200, "/private/x": "robots-denied"}),
            "loop": (self.site(loop), {"/": 200}),
            "404": (self.site(Reply(404, b"User-agent: *\nDisallow: /\n")), {"/": 200}),
            "403": (self.site(Reply(403)), {"/": 200}),
            "429": (self.site(Reply(429)), {"/": "robots-unreachable"}),
            "500": (self.site(Reply(500, OPEN)), {"/": "robots-unreachable", "/x": "robots-unreachable"}),
            "503": (self.site(Reply(503, OPEN)), {"/": "robots-unreachable"}),
            "torn": (self.site(Reply(200, OPEN, cut=True)), {"/": "robots-unreachable"}),
            "hangs": (self.site(Reply(hang=True)), {"/": "robots-unreachable"}),
            "lost": (self.site(Reply(301, b"")), {"/": "robots-unreachable"}),
        }
        urls = {site.url + path: (name, meant)
                for name, (site, paths) in sites.items() for path, meant in paths.items()}
        refused = f"http://127.0.0.1:{free.getsockname()[1]}/"
        urls[refused] = ("refused", "robots-unreachable")
        got = self.crawl(list(urls), {"DOWNLOAD_TIMEOUT": 15, "CONCURRENT_REQUESTS": 64})
        for url, (name, meant) in urls.items():
            found = got[url].get("status", got[url].get("failed"))
            self.assertEqual(found, meant, f"{name} {url}\n{self.log}")
        for name, (site, paths) in sites.items():
            closed = {path for path, meant in paths.items() if isinstance(meant, str)}
            self.assertFalse(closed & set(site.paths) - {"/robots.txt"}, name)
            if name != "loop":
                self.assertEqual(site.paths.count("/robots.txt"), 1, name)
            self.assertEqual(site.paths[0], "/robots.txt", name)
        self.assertEqual(other.paths, ["/shared.txt"])
        self.assertEqual(self.stats["robotrules/robots_fetched"], len(sites) + 1)
        self.assertEqual(self.stats["robotrules/robots-denied"], 6)

    def test_one_request_at_a_time_with_the_delay_between_them(self):
        slow = self.site(pages={f"/{i}": Reply(takes=0.1) for i in range(5)})
        quick = self.site(Reply(200, b"User-agent: *\nCrawl-delay: 0.4\n"))
        urls = [f"{site.url}/{i}" for i in range(5) for site in (slow, quick)]
        got = self.crawl(urls, {"ROBOTRULES_DELAY": 0.2})
        self.assertEqual([one["status"] for one in got.values()], [200] * 10)
        self.keeps_distance(slow.pages, 0.2)
        self.keeps_distance(quick.pages, 0.4)
        self.assertGreater(self.stats["robotrules/waits"], 4)

    def test_a_site_that_waits_does_not_hold_up_the_others(self):
        slow = self.site(Reply(200, b"User-agent: *\nCrawl-delay: 1\n"))
        quick = self.site()
        urls = [f"{slow.url}/{i}" for i in range(4)] + [f"{quick.url}/{i}" for i in range(4)]
        self.crawl(urls, {"CONCURRENT_REQUESTS": 2})
        self.assertEqual((len(slow.pages), len(quick.pages)), (4, 4))
        self.assertLess(max(entry[1] for entry in quick.pages), slow.pages[3][1])

    def test_processes_that_share_a_store_keep_the_delay_together(self):
        site = self.site(Reply(200, NO_PRIVATE))
        store = os.path.join(self.folder(), "crawl.db")
        settings = {**self.reactor, "ROBOTRULES_STORE": store, "ROBOTRULES_DELAY": 0.2}
        crawls = [begin([f"{site.url}/{name}{i}" for i in range(4)] + [f"{site.url}/private/{name}"], settings)
                  for name in "abc"]
        for process in crawls:
            made, log = end(process)
            self.assertEqual(made["stats"].get("robotrules/robots-denied"), 1, log)
        self.assertEqual(len(site.pages), 12)
        self.assertEqual(site.paths.count("/robots.txt"), 1)
        self.keeps_distance(site.pages, 0.2)

    def test_a_spider_that_closes_does_not_wait_for_its_sites(self):
        site = self.site(Reply(200, b"User-agent: *\nCrawl-delay: 300\n"))
        job = self.folder()
        begun = time.monotonic()
        self.crawl([f"{site.url}/{i}" for i in range(5)], {"CLOSESPIDER_PAGECOUNT": 2, "JOBDIR": job})
        self.assertLess(time.monotonic() - begun, 250)
        self.assertEqual(len(site.pages), 1)
        queue = pathlib.Path(job, "requests.queue")
        kept = [path for path in queue.rglob("*") if path.is_file() and path.stat().st_size > 100]
        self.assertTrue(kept, "the requests that waited are in the queue of the job")

    def test_any_number_of_requests_may_wait_for_one_robots_txt(self):
        site = self.site(Reply(200, NO_PRIVATE, takes=1))
        urls = [f"{site.url}/private/{i}" for i in range(900)]
        got = self.crawl(urls)
        self.assertEqual([got[url]["failed"] for url in urls], ["robots-denied"] * 900)
        self.assertEqual(site.paths, ["/robots.txt"])

    def test_a_request_that_a_slot_has_held_for_long_asks_the_gate_again(self):
        sites = [self.site(), self.site()]  # one slot, because it is by host
        urls = [f"{site.url}/{i}" for i in range(2) for site in sites]
        got = self.crawl(urls, {"DOWNLOAD_DELAY": 3, "RANDOMIZE_DOWNLOAD_DELAY": False, "ROBOTRULES_DELAY": 0.3,
                                "CONCURRENT_REQUESTS": 4, "CONCURRENT_REQUESTS_PER_DOMAIN": 1})
        self.assertEqual([got[url]["status"] for url in urls], [200] * 4)
        for site in sites:
            self.assertEqual(sorted(site.paths), ["/0", "/1", "/robots.txt"])
            self.keeps_distance(site.pages, 0.3)
        self.assertEqual(self.stats.get("robotrules/asked_again"), 5)  # all but the first robots.txt

    def test_crawls_of_one_process_share_its_memory(self):
        site = self.site()
        self.crawl([f"{site.url}/{i}" for i in range(4)], {"ROBOTRULES_DELAY": 0.2}, crawls=2)
        self.assertEqual(len(site.pages), 8)
        self.assertEqual(site.paths.count("/robots.txt"), 1)
        self.keeps_distance(site.pages, 0.2)

    def test_a_spider_that_closes_ends_its_downloads(self):
        site = self.site(Reply(200, b"User-agent: *\nCrawl-delay: 300\n"))
        urls = [f"{site.url}/file{i}" for i in range(3)]
        begun = time.monotonic()
        got = self.crawl([site.url + "/"], {"CLOSESPIDER_TIMEOUT": 5}, downloads=urls)
        self.assertLess(time.monotonic() - begun, 60)
        self.assertEqual([got[url] for url in urls], [{"failed": "closing"}] * 3)
        self.assertEqual(site.paths, ["/robots.txt", "/"])
        self.assertNotIn("RecursionError", self.log)


class WithAsyncio(WithAReactor):
    """All of them in a soak; else those that see most."""

    reactor = ASYNCIO
    always = ("test_rfc_9309_2_3_1_what_becomes_of_a_robots_txt_decides",
              "test_one_request_at_a_time_with_the_delay_between_them")

    def setUp(self):
        if not SOAK and self._testMethodName not in self.always:
            self.skipTest(TAKES_MINUTES)


if __name__ == "__main__":
    unittest.main()

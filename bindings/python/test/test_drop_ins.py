"""robotrules.robotparser and robotrules.protego, where the originals' tests do not look."""
import datetime
import http.server
import threading
import unittest
import urllib.error

from robotrules.protego import Protego, RequestRate, VisitTime
from robotrules.robotparser import MAX_SIZE, RobotFileParser

FILE = """\
User-agent: *
Disallow: /private
Crawl-delay: 2.5
Request-rate: 9/1m 1820-1940
Visit-time: 0200-0630

User-agent: FooBot
Disallow: /foo
Sitemap: /map.xml
Host: first.example
Host: example.org
"""


class Site(http.server.BaseHTTPRequestHandler):
    """Answers with what the test has set."""

    status, body = 200, b""

    def do_GET(self):  # noqa: N802 - the name is http.server's
        self.send_response(Site.status)
        self.send_header("Content-Length", str(len(Site.body)))
        self.end_headers()
        self.wfile.write(Site.body)

    def log_message(self, *_):
        pass


class Fetched(unittest.TestCase):
    def setUp(self):
        server = http.server.HTTPServer(("127.0.0.1", 0), Site)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_address[1]}/robots.txt"

    def read(self, status, body=b"", parser=None):
        Site.status, Site.body = status, body
        parser = parser or RobotFileParser(self.url)
        parser.read()
        return parser

    def test_a_file_that_is_not_utf_8(self):
        parser = self.read(200, b"User-agent: *\nDisallow: /\xff\n")
        self.assertFalse(parser.can_fetch("FooBot", "/%FF"))
        self.assertGreater(parser.mtime(), 0)

    def test_a_file_that_never_ends_is_cut_after_a_whole_line(self):
        lines = b"User-agent: *\nDisallow: /x\n" + b"Disallow: /0123456789\n" * 40_000
        self.assertGreater(len(lines), MAX_SIZE)
        for dialect in ("rfc9309", "google"):
            parser = self.read(200, lines, RobotFileParser(self.url, dialect))
            self.assertFalse(parser.can_fetch("FooBot", "/x"))
            self.assertTrue(parser.can_fetch("FooBot", "/0123"))  # as half a rule would disallow
            self.assertLessEqual(len(parser._rules.file.text_bytes), MAX_SIZE)

    def test_statuses(self):
        expected = {401: False, 403: False, 404: True, 410: True, 429: False, 500: False, 503: False}
        for status, allowed in expected.items():
            self.assertIs(self.read(status).can_fetch("FooBot", "/"), allowed, status)

    def test_a_failure_keeps_the_last_good_copy(self):
        parser = self.read(200, b"User-agent: *\nDisallow: /x\n")
        self.read(503, parser=parser)
        self.assertFalse(parser.can_fetch("FooBot", "/x"))
        self.assertTrue(parser.can_fetch("FooBot", "/"))

    def test_a_new_file_replaces_what_an_error_meant(self):
        parser = self.read(403)
        self.read(200, b"", parser)
        self.assertTrue(parser.can_fetch("FooBot", "/"))

    def test_no_server_is_the_error_of_urllib(self):
        with self.assertRaises(urllib.error.URLError):
            RobotFileParser("http://127.0.0.1:1/robots.txt").read()


class Urls(unittest.TestCase):
    """A link that nothing disallows here is fetched, so doubtful URLs must not look new."""

    robots = Protego.parse("User-agent: *\nDisallow: /private\n")
    parser = RobotFileParser()
    parser.parse("User-agent: *\nDisallow: /private\n")

    def test_blanks_around_a_url_are_not_of_it(self):
        for url in (" https://foo.bar/private", "\n/private/", "\t/private \r\n", "\0https://foo.bar/private"):
            self.assertFalse(self.robots.can_fetch(url, "FooBot"), repr(url))
            self.assertFalse(self.parser.can_fetch("FooBot", url), repr(url))

    def test_a_missing_url_is_a_type_error(self):
        for call in (lambda: self.robots.can_fetch(None, "FooBot"), lambda: self.parser.can_fetch("FooBot", None)):
            with self.assertRaises(TypeError):
                call()
        self.assertTrue(self.parser.can_fetch("FooBot", ""))

    def test_every_kind_of_text_is_an_agent(self):
        for agent in ("FooBot", b"FooBot", bytearray(b"FooBot"), memoryview(b"FooBot")):
            self.assertFalse(self.robots.can_fetch("/private", agent))
            self.assertFalse(self.parser.can_fetch(agent, "/private"))


class Parser(unittest.TestCase):
    def test_lines_text_and_bytes(self):
        both = (FILE, FILE.encode())
        for lines in (*both, *(text.splitlines(keepends) for text in both for keepends in (False, True))):
            parser = RobotFileParser()
            self.assertFalse(parser.can_fetch("FooBot", "/"))  # nothing was read
            self.assertIsNone(parser.crawl_delay("BarBot"))
            parser.parse(lines)
            self.assertFalse(parser.can_fetch("FooBot/1.0", "https://example.org/foo"))
            self.assertTrue(parser.can_fetch("Mozilla/5.0 (compatible; FooBot/1.0)", "/private"))
            self.assertEqual(parser.crawl_delay("BarBot"), 2.5)
            self.assertEqual(tuple(parser.request_rate("BarBot")), (9, 60))
            self.assertIsNone(parser.request_rate("FooBot"))
            self.assertEqual(parser.site_maps(), ["/map.xml"])

    def test_the_dialect_may_be_another(self):
        parser = RobotFileParser("http://foo.bar/robots.txt", "original-1994")
        parser.parse("User-agent: *\nDisallow: /*.pdf\n")
        self.assertTrue(parser.can_fetch("FooBot", "/x.pdf"))
        self.assertEqual((parser.host, parser.path), ("foo.bar", "/robots.txt"))


class Parsed(unittest.TestCase):
    def test_the_interface_of_protego(self):
        for content in (FILE, FILE.encode()):
            robots = Protego.parse(content)
            self.assertFalse(robots.can_fetch("https://example.org/foo", "FooBot/1.0"))
            self.assertTrue(robots.can_fetch("/private", "Mozilla/5.0 (compatible; FooBot/1.0)"))
            self.assertEqual(robots.crawl_delay("BarBot"), 2.5)
            times = datetime.time(18, 20), datetime.time(19, 40)
            self.assertEqual(robots.request_rate("BarBot"), RequestRate(9, 60, *times))
            self.assertEqual(robots.visit_time("BarBot"), VisitTime(datetime.time(2), datetime.time(6, 30)))
            self.assertIsNone(robots.visit_time("FooBot"))
            self.assertEqual(list(robots.sitemaps), ["/map.xml"])
            self.assertEqual(robots.preferred_host, "example.org")
        self.assertTrue(Protego().can_fetch("/", "FooBot"))
        self.assertIsNone(Protego().preferred_host)


if __name__ == "__main__":
    unittest.main()

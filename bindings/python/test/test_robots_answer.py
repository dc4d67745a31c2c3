"""What an answer to a request for robots.txt means, and the fields that say for how long."""
import gzip
import unittest

from robotrules import _robots_answer as robots_answer
from robotrules._http_fields import http_date, page_rules, retry_after, robots_freshness
from robotrules._robots_answer import MAX_BODY, Answer, TooManyRedirects, Unusable

NOW = 1_700_000_000.0
DATE = "Tue, 14 Nov 2023 22:13:20 GMT"  # NOW
HOUR, DAY = 3600.0, 86_400.0


def answer(status=200, body=b"User-agent: *\nDisallow: /private\n", is_cut=False, is_whole=True, **fields):
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    return Answer(status, named, body, is_cut, is_whole, NOW, NOW)


def outcome(made, failures=0):
    found = robots_answer.outcome_of(made, failures, 0.0)
    return found.kind, found.status, found.fresh_for


class Statuses(unittest.TestCase):
    """RFC 9309 section 2.3.1."""

    def test_2_3_1_1_a_success_has_rules(self):
        for status in (200, 203, 204, 299):
            self.assertEqual(outcome(answer(status)), ("rules", status, DAY))
        self.assertEqual(robots_answer.outcome_of(answer(content_type="text/html"), 0, 0).body, answer().body)

    def test_2_3_1_3_a_client_error_allows_all(self):
        for status in (400, 404, 410, 451):
            self.assertEqual(outcome(answer(status, b"User-agent: *\nDisallow: /\n")), ("unavailable", status, DAY))
        self.assertEqual(outcome(answer(404, cache_control="max-age=60")), ("unavailable", 404, 300.0))
        self.assertEqual(outcome(answer(403, cache_control="max-age=60")), ("unavailable", 403, HOUR))

    def test_2_3_1_4_a_server_error_is_unreachable(self):
        for status in (429, 500, 502, 503, 599):
            self.assertEqual(outcome(answer(status)), ("unreachable", status, 60.0))

    def test_answers_that_are_none_are_unreachable(self):
        for status in (100, 206):
            self.assertEqual(outcome(answer(status)), ("unreachable", 0, 60.0))
        for status in (300, 304, 600, 999):
            self.assertEqual(outcome(answer(status)), ("unreachable", status, 60.0))

    def test_each_failure_doubles_the_wait_up_to_an_hour(self):
        waits = [outcome(answer(503), failures)[2] for failures in range(8)]
        self.assertEqual(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600])
        self.assertEqual(robots_answer.unreachable(0, "", 5000, 1.0).fresh_for, 3960.0)

    def test_retry_after_is_the_shortest_wait_and_bounded(self):
        self.assertEqual(outcome(answer(503, retry_after="7200"))[2], 7200.0)
        self.assertEqual(outcome(answer(429, retry_after="5"))[2], 60.0)
        self.assertEqual(outcome(answer(429, retry_after="99999999"))[2], DAY)


class Bodies(unittest.TestCase):
    def test_2_5_the_first_500_kib_are_read_up_to_a_whole_line(self):
        line = b"Disallow: /" + b"x" * 88 + b"\n"
        body = line * 6000
        found = robots_answer.outcome_of(answer(body=body), 0, 0)
        self.assertEqual(found.body, line * (MAX_BODY // len(line)))
        self.assertEqual(robots_answer.outcome_of(answer(body=body[:MAX_BODY]), 0, 0).body, body[:MAX_BODY])

    def test_a_body_that_was_cut_here_ends_with_a_whole_line(self):
        found = robots_answer.outcome_of(answer(body=b"Disallow: /a\nDisallow: /b", is_cut=True), 0, 0)
        self.assertEqual(found.body, b"Disallow: /a\n")

    def test_a_body_cut_on_the_way_is_unreachable(self):
        self.assertEqual(outcome(answer(is_whole=False))[0], "unreachable")
        packed = gzip.compress(answer().body)
        self.assertEqual(outcome(answer(body=packed[:-4], content_encoding="gzip"))[0], "unreachable")

    def test_gzip_is_decoded_within_the_limit(self):
        body = b"Disallow: /0123456789abcdef\n" * 3
        members = gzip.compress(body[:28]) + gzip.compress(body[28:])
        for packed in (gzip.compress(body), members, gzip.compress(body) + b"\0"):
            found = robots_answer.outcome_of(answer(body=packed, content_encoding="gzip"), 0, 0)
            self.assertEqual(found.body, body)
        bomb = gzip.compress(b"Disallow: /\n" * 10_000_000, 1)
        found = robots_answer.outcome_of(answer(body=bomb, content_encoding="x-gzip"), 0, 0)
        self.assertEqual(len(found.body), MAX_BODY // 12 * 12)

    def test_other_codings_are_unreachable(self):
        for coding in ("br", "gzip, gzip", "deflate"):
            self.assertEqual(outcome(answer(content_encoding=coding))[0], "unreachable")
        self.assertEqual(outcome(answer(content_encoding="gzip"))[0], "unreachable")
        self.assertEqual(outcome(answer(content_encoding="identity"))[0], "rules")

    def test_utf_16_that_only_a_label_tells_gets_a_mark(self):
        text = "User-agent: *\nDisallow: /\n"
        made = answer(body=text.encode("utf-16-le"), content_type='text/plain; charset="UTF-16LE"')
        self.assertEqual(robots_answer.outcome_of(made, 0, 0).body, b"\xff\xfe" + text.encode("utf-16-le"))
        made = answer(content_type="text/plain; charset=utf-16")
        self.assertEqual(robots_answer.outcome_of(made, 0, 0).body, answer().body)


class Redirects(unittest.TestCase):
    URL = "https://example.org/robots.txt"

    def test_2_3_1_2_a_redirect_is_followed_also_to_another_host(self):
        hops = []
        for status in (301, 302, 303, 307, 308):
            self.assertEqual(
                robots_answer.next_hop(self.URL, [], answer(status, location="https://other.example/r#x")),
                "https://other.example/r",
            )
        target = robots_answer.next_hop(self.URL, hops, answer(301, location="/r.txt"))
        self.assertEqual(target, "https://example.org/r.txt")
        self.assertEqual(hops, [self.URL])
        self.assertIsNone(robots_answer.next_hop(self.URL, hops, answer(200, location="/r.txt")))

    def test_2_3_1_2_five_redirects_are_followed(self):
        hops, url = [], self.URL
        for number in range(5):
            url = robots_answer.next_hop(url, hops, answer(302, location=f"/{number}"))
        with self.assertRaises(TooManyRedirects):
            robots_answer.next_hop(url, hops, answer(302, location="/5"))

    def test_a_loop_ends_at_once(self):
        with self.assertRaises(TooManyRedirects) as caught:
            robots_answer.next_hop(self.URL, [], answer(301, location=self.URL))
        found = robots_answer.too_many_redirects(caught.exception.status)
        self.assertEqual((found.kind, found.status, found.fresh_for), ("unavailable", 301, HOUR))

    def test_redirects_that_cannot_be_followed_are_no_answer(self):
        for location in ("", "ftp://example.org/r", "http://example.org/robots.txt", "https://", "https://[x/",
                         "mailto:x", "https://user:word@example.org/"):
            with self.assertRaises(Unusable, msg=location):
                robots_answer.next_hop(self.URL, [], answer(301, location=location))
        with self.assertRaises(Unusable):
            robots_answer.next_hop(self.URL, [], answer(301))


class Fields(unittest.TestCase):
    def test_dates_of_http_have_three_formats(self):
        for text in ("Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"):
            self.assertEqual(http_date(text), 784_111_777.0, text)
        for text in (None, "", "0", "tomorrow", "Sun, 99 Nov 1994 08:49:37 GMT"):
            self.assertIsNone(http_date(text), text)

    def test_retry_after_is_seconds_or_a_date(self):
        self.assertEqual(retry_after("120", None, NOW), 120.0)
        self.assertEqual(retry_after("9" * 400, None, NOW), 365 * DAY)
        self.assertEqual(retry_after("Tue, 14 Nov 2023 22:14:20 GMT", None, NOW), 60.0)
        # The server's clock is an hour ahead.
        self.assertEqual(
            retry_after("Tue, 14 Nov 2023 23:14:20 GMT", "Tue, 14 Nov 2023 23:13:20 GMT", NOW), 60.0
        )
        for text in (None, "", "0", "-5", "1.5", "soon", "٣", "Mon, 13 Nov 2023 22:13:20 GMT"):
            self.assertIsNone(retry_after(text, DATE, NOW), text)

    def test_freshness_is_the_rest_of_the_lifetime_within_limits(self):
        def fresh(requested=NOW, **fields):
            named = {name.replace("_", "-"): value for name, value in fields.items()}
            return robots_freshness(named, requested, NOW, 300.0, DAY)

        self.assertEqual(fresh(), DAY)
        self.assertEqual(fresh(cache_control="public, Max-Age=3600"), HOUR)
        self.assertEqual(fresh(cache_control="max-age=3600", age="600"), 3000.0)
        self.assertEqual(fresh(NOW - 10, cache_control="max-age=3600", age="600"), 2990.0)
        self.assertEqual(fresh(cache_control="max-age=99999999"), DAY)
        self.assertEqual(fresh(expires="Tue, 14 Nov 2023 23:13:20 GMT", date=DATE), HOUR)
        self.assertEqual(fresh(cache_control="max-age=1000", expires="Tue, 14 Nov 2023 23:13:20 GMT"), 1000.0)
        for control in ("no-store", "max-age=0", "max-age=often", "no-cache, max-age=9999"):
            self.assertEqual(fresh(cache_control=control), 300.0, control)
        for expires in ("Thu, 01 Jan 1981 00:00:00 GMT", "0"):
            self.assertEqual(fresh(expires=expires), 300.0, expires)

    def test_x_robots_tag_is_for_all_robots_or_for_this_one(self):
        self.assertTrue(page_rules(["noindex"], "foobot").noindex)
        self.assertTrue(page_rules(["FooBot/1.0: noindex, nofollow"], "foobot").nofollow)
        self.assertFalse(page_rules(["otherbot: noindex, nofollow"], "foobot").nofollow)
        self.assertTrue(page_rules(["otherbot: noindex", "noarchive"], "foobot").noarchive)
        both = page_rules(["otherbot: noindex, foobot: nofollow"], "foobot")
        self.assertEqual((both.noindex, both.nofollow), (False, True))
        none = page_rules(["NONE"], "foobot")
        self.assertEqual((none.noindex, none.nofollow), (True, True))
        self.assertEqual(page_rules(["all, index, max-snippet: 20"], "foobot").others, ["max-snippet: 20"])
        self.assertTrue(page_rules(["*;noindex"], "foobot").noindex)

    def test_unavailable_after_ends_the_indexing(self):
        rules = page_rules(["unavailable_after: Tue, 14 Nov 2023 22:13:20 GMT"], "foobot")
        self.assertEqual(rules.unavailable_after, NOW)
        self.assertTrue(rules.index_allowed(NOW))
        self.assertFalse(rules.index_allowed(NOW + 1))
        self.assertEqual(page_rules(["unavailable_after: 2023-11-14T22:13:20Z, noarchive"], "x").unavailable_after, NOW)
        self.assertIsNone(page_rules(["unavailable_after: soon"], "x").unavailable_after)


if __name__ == "__main__":
    unittest.main()

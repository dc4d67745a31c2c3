"""Fields of HTTP responses."""
import unittest

from robotrules._http_fields import http_date, page_rules, retry_after

NOW = 1_700_000_000.0
DATE = "Tue, 14 Nov 2023 22:13:20 GMT"  # NOW
DAY = 86_400.0


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

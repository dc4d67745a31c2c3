"""Stores, the gate, and the rules of many sites."""
import datetime
import os
import pathlib
import tempfile
import threading
import unittest

from robotrules import RobotRules, RobotRulesError, RobotsTxt, diff, gate_key, open_store
from robotrules._database import _seconds

SITE = "https://example.org"
HOUR = 3600


class Raises:
    """Mixin: a call fails with a code and a sentence."""

    def fails(self, code, function, *arguments, **named):
        with self.assertRaises(RobotRulesError) as caught:
            function(*arguments, **named)
        self.assertEqual(caught.exception.code, code)
        self.assertGreater(len(str(caught.exception)), 10)


class Gate(Raises, unittest.TestCase):
    def test_the_second_request_waits_for_the_interval(self):
        with open_store() as store:
            with store.reserve(SITE, interval=HOUR) as first:
                self.assertTrue(first.granted)
                self.assertEqual(first.answer, "granted")
                self.assertGreater(first.fence, 0)
                self.assertGreater(first.until, store.now())
                second = store.reserve(SITE, interval=HOUR)
                self.assertEqual((second.answer, second.why, second.key), ("wait", "interval", SITE))
                self.assertEqual(store.reserve(SITE).why, "in-flight")
                self.fails("invalid-argument", second.complete, 200)
                self.fails("invalid-argument", second.cancel)
                first.complete(200, latency=0.5)
            third = store.reserve(SITE, interval=HOUR)
            self.assertEqual((third.answer, third.why), ("wait", "interval"))
            self.assertFalse(third)
            state = store.gate(SITE)
            self.assertEqual((state.visits, state.in_flight, state.incidents), (1, 0, 0))
            self.assertAlmostEqual(third.until, state.next_at, places=3)
            self.assertGreater(state.next_at - store.now(), HOUR - 60)
            self.fails("unknown-token", first.complete, 200)

    def test_a_refusal_is_a_pause_that_robots_txt_waits_for_too(self):
        store = open_store()
        store.reserve(SITE).complete(503, retry_after=datetime.timedelta(hours=2))
        wait = store.reserve(SITE, robots_fetch=True)
        self.assertEqual((wait.answer, wait.why), ("wait", "penalty"))
        self.assertGreater(wait.until - store.now(), 2 * HOUR - 60)
        self.assertEqual(store.gate(SITE).incidents, 1)

    def test_a_request_without_an_answer_pauses_the_site_if_the_cause_says_so(self):
        for cause in ("connect", "timeout", "dns", "route"):
            store = open_store()
            begun = store.now()
            with store.reserve([SITE, "ip:192.0.2.1"]) as turn:
                turn.fail(cause)
            wait = store.reserve(SITE, robots_fetch=True)
            self.assertEqual((wait.answer, wait.why, wait.key), ("wait", "away", SITE), cause)
            self.assertGreater(wait.until, begun + 4.999)
            self.assertLess(wait.until, store.now() + 5.001)
            self.assertTrue(store.reserve("ip:192.0.2.1"))
            self.assertEqual((store.gate(SITE).in_flight, store.gate(SITE).incidents), (0, 0))
            self.fails("unknown-token", turn.fail, cause)
        store = open_store()
        for cause in ("cancelled", "none"):
            store.reserve(SITE).fail(cause)
        with store.reserve(SITE):
            pass  # a block without an end: the cause is not known
        self.assertTrue(store.reserve(SITE))

    def test_a_cause_that_does_not_exist_ends_nothing(self):
        store = open_store()
        with store.reserve(SITE) as turn:
            for wrong in ("", "Connect", "refused", 1, None, ["dns"]):
                self.fails("invalid-argument", turn.fail, wrong)
            self.assertEqual(store.gate(SITE).in_flight, 1)
            self.fails("invalid-argument", store.reserve(SITE).fail, "connect")  # it waits
            turn.fail("dns")
        self.assertEqual(store.gate(SITE).in_flight, 0)

    def test_robots_txt_does_not_wait_for_the_interval(self):
        store = open_store()
        store.reserve(SITE, interval=HOUR).complete(200)
        with store.reserve(SITE, interval=HOUR, robots_fetch=True) as robots:
            self.assertTrue(robots.granted)
            robots.complete(200)

    def test_a_cancelled_request_leaves_the_key_free(self):
        store = open_store()
        with store.reserve(SITE) as sent:
            sent.may_send()
            with self.assertRaises(RobotRulesError):  # the second one waits
                store.reserve(SITE).may_send()
            sent.cancel()
        store.reserve(SITE, interval=HOUR).cancel()
        self.assertTrue(store.reserve(SITE, interval=HOUR).granted)

    def test_a_block_without_an_end_counts_as_sent(self):
        store = open_store()
        with self.assertRaises(ZeroDivisionError):
            with store.reserve(SITE, interval=HOUR):
                raise ZeroDivisionError
        state = store.gate(SITE)
        self.assertEqual((state.in_flight, state.visits), (0, 1))
        self.assertEqual(store.reserve(SITE, interval=HOUR).why, "interval")

    def test_all_keys_or_none_are_reserved(self):
        store = open_store()
        store.reserve("ip:192.0.2.1", interval=HOUR).complete(200)
        both = store.reserve([SITE, "ip:192.0.2.1"], interval=HOUR)
        self.assertEqual((both.answer, both.key), ("wait", "ip:192.0.2.1"))
        self.assertEqual(store.gate(SITE).visits, 0)
        self.assertTrue(store.reserve(SITE).granted)

    def test_one_of_many_threads_is_granted(self):
        store = open_store()
        granted = []

        def ask():
            for _ in range(50):
                if store.reserve(SITE, interval=HOUR):
                    granted.append(1)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(granted), 1)

    def test_wrong_wishes_are_errors(self):
        store = open_store()
        self.fails("invalid-request", store.reserve, [])
        self.fails("invalid-request", store.reserve, ["a", "a"])
        self.fails("invalid-request", store.reserve, "a", interval=400 * 86_400)
        for wishes in ({"interval": -1}, {"interval": float("nan")}, {"in_flight": 0}, {"in_flight": 1 << 40}):
            self.fails("invalid-argument", store.reserve, "a", **wishes)
        for wishes in ({"interval": "1"}, {"hold": None}, {"interval": True}):
            with self.assertRaises(TypeError):
                store.reserve("a", **wishes)
        with self.assertRaises(TypeError):
            store.reserve(5)
        with self.assertRaisesRegex(RobotRulesError, "retry_after is .* 100 years"):
            store.reserve("b").complete(429, retry_after=1e12)
        with self.assertRaisesRegex(RobotRulesError, "not granted"):
            store.reserve("b").complete(200)
        reservation = store.reserve("a")
        self.fails("invalid-argument", reservation.complete, -1)
        self.fails("invalid-argument", reservation.complete, 1 << 40)
        self.fails("invalid-argument", reservation.complete, 200, retry_after=-1)
        reservation.complete(200)

    def test_gate_key(self):
        self.assertEqual(gate_key("https://Example.org:443/x"), SITE)
        self.fails("invalid-url", gate_key, "/x")


class Sites(Raises, unittest.TestCase):
    def test_answers_come_from_what_was_kept(self):
        rules = RobotRules("FooBot/1.0")
        url = f"{SITE}/private"
        self.assertIsNone(rules.allowed(url))
        self.assertEqual(rules.check(url).state, "unknown")
        self.assertFalse(rules.check(url))
        rules.keep(f"{SITE}/robots.txt", b"User-agent: FooBot\nDisallow: /private\n")
        self.assertIs(rules.allowed(url), False)
        self.assertIs(rules.allowed(f"{SITE}/"), True)
        answer = rules.check(url)
        self.assertEqual((answer.allowed, answer.access, answer.state), (False, "disallowed", "rules"))
        self.assertEqual(rules.rules_for(url).check(url).line, 2)
        self.assertIsNone(rules.allowed("https://other.example/"))

    def test_outcomes_mean_what_rfc_9309_section_2_3_1_says(self):
        rules = RobotRules("FooBot")
        self.assertEqual(rules.policy, "rfc9309")
        rules.keep_outcome(f"{SITE}/robots.txt", "unavailable", 404)
        self.assertEqual(rules.check(f"{SITE}/x").state, "allow-all")
        self.assertIsNone(rules.rules_for(f"{SITE}/x"))
        rules.keep_outcome(f"{SITE}/robots.txt", "unreachable", 503)
        rules.keep_outcome("https://new.example/robots.txt", "unreachable")
        self.assertEqual(rules.check("https://new.example/x").state, "disallow-all")
        rules.keep_outcome("https://closed.example/robots.txt", "unavailable", 403)
        self.assertIs(rules.allowed("https://closed.example/"), True)
        rules.policy = "strict"
        self.assertEqual(rules.policy, "strict")
        self.assertIs(rules.allowed("https://closed.example/"), False)

    def test_a_file_of_no_time_is_unknown(self):
        rules = RobotRules("FooBot")
        rules.keep(f"{SITE}/robots.txt", "", fresh_for=0)
        self.assertIsNone(rules.allowed(SITE))

    def test_a_time_below_a_second_is_not_none(self):
        rules = RobotRules("FooBot")
        rules.keep(f"{SITE}/robots.txt", "User-agent: *\nDisallow: /x\n", fresh_for=86_399.000001)
        self.assertIs(rules.allowed(f"{SITE}/x"), False)
        self.assertEqual([_seconds(duration, "fresh_for") for duration in (0, 1e-6, 0.5, 1, 1.5)], [0, 1, 1, 1, 2])

    def test_messages_name_the_argument(self):
        rules = RobotRules("FooBot")
        for named, words in (
            ({"status": -1}, "status is -1"), ({"status": 1 << 40}, "status is"), ({"status": "404"}, "status is '404'"),
            ({"fresh_for": 1e12}, "fresh_for is .* 100 years"), ({"outcome": []}, "no outcome"),
        ):
            with self.assertRaisesRegex(RobotRulesError, words) as caught:
                rules.keep_outcome(f"{SITE}/robots.txt", **{"outcome": "unavailable", **named})
            self.assertEqual(caught.exception.code, "invalid-argument")
        with self.assertRaisesRegex(RobotRulesError, "the dialect 'google', after with 'rfc9309'"):
            diff(RobotsTxt.parse("", "google"), RobotsTxt.parse(""))
        with self.assertRaises(TypeError):
            rules.reserve(SITE, intervall=5)

    def test_visits_are_counted(self):
        rules = RobotRules("FooBot")
        self.assertEqual(rules.visits(SITE).count, 0)
        self.assertIsNone(rules.visits(SITE).last)
        rules.visit(SITE)
        self.assertEqual(rules.visits(SITE).count, 1)
        self.assertAlmostEqual(rules.visits(SITE).last, rules.store.now(), delta=60)

    def test_the_gate_of_a_url(self):
        rules = RobotRules("FooBot")
        with rules.reserve(f"{SITE}/a", interval=HOUR) as turn:
            self.assertTrue(turn.granted)
            turn.complete(200)
        self.assertEqual(rules.reserve(f"{SITE}/b", interval=HOUR).key, SITE)
        self.fails("invalid-url", rules.reserve, "/a")

    def test_wrong_use_is_an_error(self):
        rules = RobotRules("FooBot")
        self.fails("no-agent", RobotRules)
        self.fails("unknown-dialect", RobotRules, "FooBot", "memory:", "none")
        self.fails("invalid-url", rules.check, "/x")
        self.fails("invalid-url", rules.keep, "/robots.txt", "")
        self.fails("invalid-argument", rules.keep, f"{SITE}/robots.txt", "", fresh_for=-1)
        self.fails("invalid-argument", rules.keep_outcome, f"{SITE}/robots.txt", "gone")
        self.fails("invalid-argument", setattr, rules, "policy", "none")
        for wrong in (None, 5, [SITE]):
            with self.assertRaises(TypeError):
                rules.allowed(wrong)


class Files(Raises, unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = str(pathlib.Path(self.folder.name) / "robots.db")

    def test_an_unknown_answer_has_no_other_state(self):
        """A record may come from another process while check() asks."""
        with RobotRules("FooBot", self.path) as reader, RobotRules("FooBot", self.path) as writer:
            for number in range(300):
                site = f"http://site{number}.example"
                begun = threading.Event()

                def keep():
                    begun.set()
                    writer.keep(site + "/robots.txt", "User-agent: *\nDisallow: /x\n")

                thread = threading.Thread(target=keep)
                thread.start()
                begun.wait()
                answer = reader.check(site + "/y")
                while answer.state == "unknown":
                    answer = reader.check(site + "/y")
                thread.join()
                self.assertIs(answer.allowed, True)

    def test_a_file_keeps_rules_and_gates(self):
        with open_store(self.path, first_ever=True) as store, RobotRules("FooBot", store) as rules:
            rules.keep(f"{SITE}/robots.txt", "User-agent: *\nDisallow: /x\n")
            rules.reserve(SITE, interval=HOUR).complete(200)
        with RobotRules("", self.path) as rules:
            self.assertIs(rules.allowed(f"{SITE}/x"), False)
            self.assertEqual(rules.reserve(SITE, interval=HOUR).why, "interval")

    def test_a_file_that_was_replaced_grants_nothing(self):
        with open_store(self.path, first_ever=True) as store:
            reservation = store.reserve(SITE)
            reservation.may_send()
            for part in ("", "-wal", "-shm"):
                pathlib.Path(self.path + part).rename(f"{self.path}.old{part}")
            with open_store(self.path, first_ever=True) as other:
                self.fails("store-moved", store.reserve, SITE)
                self.fails("store-moved", reservation.complete, 200)
                self.assertTrue(other.reserve(SITE))

    def test_a_file_may_have_a_pathlib_path(self):
        with open_store(pathlib.Path(self.path), first_ever=True) as store:
            self.assertTrue(store.reserve(SITE))
        with RobotRules("FooBot", pathlib.Path(self.path)) as rules:
            self.assertEqual(rules.reserve(SITE).why, "in-flight")

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork()")
    def test_a_child_after_fork_does_not_use_the_store_of_its_parent(self):
        for name in ("memory:", self.path):
            store = open_store(name, first_ever=True)
            rules = RobotRules("FooBot", store)
            rules.keep(f"{SITE}/robots.txt", "")
            turn = rules.reserve(SITE)
            child = os.fork()
            if child == 0:
                codes = []
                for call in (store.now, lambda: rules.allowed(SITE), lambda: rules.reserve(SITE), turn.complete):
                    try:
                        call()
                        codes.append("")
                    except RobotRulesError as error:
                        codes.append(error.code)
                with RobotRules("FooBot") as own:  # it may open stores
                    own.reserve(SITE).complete(200)
                os._exit(0 if codes == ["store-forked"] * 4 else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            turn.complete(200)

    def test_a_file_belongs_to_one_robot(self):
        with RobotRules("FooBot", self.path) as rules:
            rules.keep(f"{SITE}/robots.txt", "")
        self.fails("other-agent", RobotRules, "BarBot", self.path)
        with RobotRules("BarBot", self.path, clear_other=True) as rules:
            self.assertIsNone(rules.allowed(SITE))

    def test_a_new_file_counts_each_site_as_just_visited(self):
        with open_store(self.path) as store:
            self.assertEqual(store.reserve(SITE, interval=HOUR).why, "just-visited")

    def test_files_that_cannot_be_opened_are_errors(self):
        self.fails("store-missing", open_store, self.path, existing=True)
        self.fails("store-path", open_store, self.path + "/no/folder.db")
        self.fails("store-name", open_store, "carrier-pigeon://x")
        damaged = pathlib.Path(self.path)
        damaged.write_bytes(b"SQLite format 3\0" + bytes(5000))
        damaged.chmod(0o600)
        with self.assertRaises(RobotRulesError) as caught:
            open_store(self.path)
        self.assertTrue(caught.exception.code.startswith("store-"))

    def test_closed_handles_say_so(self):
        store = open_store(self.path, first_ever=True)
        rules = RobotRules("FooBot", store)
        turn = rules.reserve(SITE)
        store.close()
        store.close()
        self.assertTrue(store.closed)
        calls = (store.now, lambda: store.reserve("a"), lambda: store.gate("a"), lambda: RobotRules("FooBot", store))
        for call in calls:
            self.fails("closed", call)
        turn.complete(200)  # it keeps the store open
        rules.visit(SITE)
        rules.close()
        for call in (lambda: rules.allowed(SITE), lambda: rules.keep(SITE, ""), lambda: rules.policy):
            self.fails("closed", call)


if __name__ == "__main__":
    unittest.main()

// Names in the statements of a store mean those of PostgreSQL itself, whatever is in the schema.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "support/postgres/postgres_test.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

// For all types that a store uses: operators and functions that PostgreSQL has for other types only. They fail.
constexpr const char* make_overloads = R"(
DO $do$
DECLARE
  types text[] := ARRAY['int2', 'int4', 'int8', 'numeric', 'float8', 'text', 'varchar', 'name', 'bytea', 'bool', 'oid',
                        '"char"', 'regclass', 'int8[]', 'bytea[]'];
  operators text[] := ARRAY['+', '-', '*', '/', '=', '<>', '<', '<=', '>', '>=', '||', '&', '<<'];
  functions text[] := ARRAY['unnest', 'set_config', 'current_setting', 'convert_to', 'convert_from', 'sum', 'max', 'min',
                            'count', 'pg_advisory_xact_lock', 'pg_advisory_xact_lock_shared', 'hashtextextended',
                            'pg_try_advisory_xact_lock', 'has_schema_privilege', 'has_table_privilege', 'string_agg',
                            'quote_ident', 'octet_length', 'pg_total_relation_size', 'date_part', 'extract'];
  l text;
  r text;
  o text;
  f text;
BEGIN
  FOREACH l IN ARRAY types LOOP
    FOREACH f IN ARRAY functions LOOP
      IF to_regprocedure(format('pg_catalog.%I(%s)', f, l)) IS NULL THEN
        EXECUTE format('CREATE FUNCTION $schema.%I(%s) RETURNS bigint LANGUAGE plpgsql AS %L', f, l, 'BEGIN RAISE ''overload''; END');
      END IF;
    END LOOP;
    FOREACH r IN ARRAY types LOOP
      FOREACH f IN ARRAY functions LOOP
        IF to_regprocedure(format('pg_catalog.%I(%s, %s)', f, l, r)) IS NULL THEN
          EXECUTE format('CREATE FUNCTION $schema.%I(%s, %s) RETURNS bigint LANGUAGE plpgsql AS %L', f, l, r, 'BEGIN RAISE ''overload''; END');
        END IF;
      END LOOP;
      EXECUTE format('CREATE FUNCTION $schema.overload(%s, %s) RETURNS bool LANGUAGE plpgsql AS %L', l, r, 'BEGIN RAISE ''overload''; END');
      FOREACH o IN ARRAY operators LOOP
        IF to_regoperator(format('pg_catalog.%s(%s, %s)', o, l, r)) IS NULL THEN
          EXECUTE format('CREATE OPERATOR $schema.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = $schema.overload)', o, l, r);
        END IF;
      END LOOP;
    END LOOP;
  END LOOP;
END
$do$)";

std::string overloads_in(const std::string& schema) {
  std::string sql = make_overloads;
  for (auto at = sql.find("$schema"); at != std::string::npos; at = sql.find("$schema"))
    sql.replace(at, std::string("$schema").size(), schema);
  return sql;
}

class PostgresOverloads : public PostgresTest {
 protected:
  // Shows the error if there is one.
  template <class T>
  static bool is_good(const Result<T>& done) {
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message);
    return done.ok();
  }
};

TEST_F(PostgresOverloads, OfASchemaAreNeverUsed) {
  PostgresServer::shared().query("CREATE SCHEMA " + schema);
  PostgresServer::shared().query(overloads_in(schema));
  const Origin origin = *Origin::of("https://a.example");
  const auto store = opened(name());
  ASSERT_TRUE(is_good(store->set_agent("FooBot/1.0")));
  ASSERT_TRUE(is_good(store->set_policy({})));
  is_good(store->policy());
  const auto reserved = store->reserve({.keys = {"k", "l"}, .interval = 0s});
  ASSERT_TRUE(is_granted(reserved)) << reserved.error().message;
  is_good(store->complete(std::get<Granted>(*reserved).token, {.status = 200}));
  is_good(store->gate("k"));
  is_good(store->just_visited());
  is_good(store->add_visit(origin, store->now()));
  is_good(store->restore_gate("m", store->now() + 1h, {3, {}}));
  const auto leased = store->lease_robots_fetch(origin, 10s);
  ASSERT_TRUE(is_good(leased));
  RobotsRecord record;
  record.body = std::make_shared<const std::string>("User-agent: *\nDisallow: /x\n");
  is_good(store->put_robots(origin, record, &std::get<RobotsLease>(*leased)));
  is_good(store->put_newer({{origin, record}, {*Origin::of("https://b.example"), record}}));
  is_good(store->set_fresh_until(origin, store->now() - 1h));
  is_good(store->for_each_origin([](const Origin&, const RobotsRecord&) { return true; }));
  is_good(opened(name())->robots(origin));
  is_good(store->stats());
  is_good(store->forget(*Origin::of("https://b.example")));
  is_good(store->prune(store->now()));
  is_good(store->set_agent("BarBot/1.0", OtherAgent::clears));
}

TEST_F(PostgresOverloads, OfASchemaAreNeverUsedByAQueue) {
  PostgresServer::shared().query("CREATE SCHEMA " + schema);
  PostgresServer::shared().query(overloads_in(schema));
  auto opened_queue = open_url_queue(name(), "job");
  ASSERT_TRUE(is_good(opened_queue));
  UrlQueue& queue = *opened_queue.value();
  const auto claim = queue.claim();
  ASSERT_TRUE(is_good(claim));
  is_good(queue.add({{"http://a.example/1"}, {"http://a.example/2"}, {"http://b.example/1"}}));
  const auto sites = queue.claim_sites(*claim, 1);
  ASSERT_TRUE(is_good(sites) && sites->size() == 1);
  const std::int64_t site = sites->front().id;
  const auto items = queue.take(*claim, site, {}, 10);
  ASSERT_TRUE(is_good(items) && items->size() == 2);
  const std::vector<FinishedUrl> done{{items->front().id, UrlState::done, {.status = 200}}};
  const std::vector<QueuedUrl> links{{"http://a.example/3"}, {"http://c.example/"}};
  is_good(queue.settle(*claim, done, OutputPosition{"out", 5}, links));
  is_good(queue.output_position("out"));
  is_good(queue.share(*claim, false));
  is_good(queue.claim_sites(*claim, 10));
  is_good(queue.release(*claim, std::vector<std::int64_t>{site}));
  is_good(queue.sites({}, 10));
  is_good(queue.peek(site, {}, 10));
  is_good(queue.find("GET", "http://a.example/1"));
  is_good(queue.counts());
  is_good(queue.revisit({}));
  is_good(queue.retry_failed());
  is_good(queue.set_note("note"));
  is_good(queue.note());
  is_good(queue.for_each({}, [](const QueueItem&) { return true; }));
  is_good(queue.remove(std::vector<std::int64_t>{items->back().id}));
  opened_queue.value().reset();
  is_good(list_jobs(name()));
  is_good(remove_job(name(), "job"));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE

// The backend of the suites for queues: a job in a schema of its own on the server that the tests share.
#include <robotrules/open_store.hpp>
#include "postgres/queue_place.hpp"

#include "store/queue_contract.hpp"
#include "support/postgres/postgres_server.hpp"

namespace robotrules::test {

std::string new_queue_place(const std::string& settings) {
  return PostgresServer::shared().uri(settings + "first_ever=1&schema=" + PostgresServer::new_schema());
}

std::string query_queue(const std::string& place, const std::string& sql) {
  const std::string schema = place.substr(place.find("schema=") + 7);
  return PostgresServer::shared().query("SET search_path = " + schema + "; " + sql);
}

std::string queue_problems(const std::string& place) {
  const auto wrong = [&](const char* what, const std::string& rows) {
    const std::string found = query_queue(place, "SELECT count(*) FROM (" + rows + ") AS found");
    return found == "0" ? std::string() : found + " " + what + "\n";
  };
  return wrong("sites have a wrong sum or rank",
               "SELECT 1 FROM queue_site LEFT JOIN (SELECT site, count(*) AS urls, min(rank) AS least FROM queue_url"
               " WHERE state = 0 GROUP BY site) AS sums ON site = id WHERE pending <> coalesce(urls, 0)"
               " OR (pending > 0 AND rank <> least)") +
         wrong("jobs have wrong counts",
               "SELECT 1 FROM (SELECT job, sum(pending) AS pending, sum(done) AS done, sum(denied) AS denied,"
               " sum(failed) AS failed, sum(parked) AS parked, sum(cut) AS cut FROM queue_count GROUP BY job) AS sums"
               " FULL JOIN (SELECT job, count(*) FILTER (WHERE state = 0) AS n0, count(*) FILTER (WHERE state = 1)"
               " AS n1, count(*) FILTER (WHERE state = 2) AS n2, count(*) FILTER (WHERE state = 3) AS n3,"
               " count(*) FILTER (WHERE state = 4) AS n4, count(*) FILTER (WHERE state = 5) AS n5 FROM queue_url"
               " GROUP BY job) AS urls USING (job) WHERE pending <> coalesce(n0, 0) OR done <> coalesce(n1, 0)"
               " OR denied <> coalesce(n2, 0) OR failed <> coalesce(n3, 0) OR parked <> coalesce(n4, 0)"
               " OR cut <> coalesce(n5, 0) OR (pending IS NULL AND n0 IS NOT NULL)") +
         wrong("URLs are without their site or job",
               "SELECT 1 FROM queue_url WHERE NOT EXISTS(SELECT 1 FROM queue_site WHERE id = site AND"
               " job = queue_url.job) OR NOT EXISTS(SELECT 1 FROM queue_job WHERE id = job)") +
         wrong("sites belong to a worker that is not there",
               "SELECT 1 FROM queue_site WHERE fence <> 0 AND NOT EXISTS(SELECT 1 FROM queue_worker WHERE job ="
               " queue_site.job AND fence = queue_site.fence)");
}

void end_queue_claims(const std::string& place) {
  query_queue(place, "BEGIN; DELETE FROM queue_worker; UPDATE queue_site SET fence = 0; COMMIT");
}

const std::vector<QueueBackend>& queue_backends() {
  static const std::vector<QueueBackend> all = [] {
    std::vector<QueueBackend> made;
    if (!PostgresServer::is_installed()) return made;
    made.push_back({.name = "postgres",
                    .keeps = true,
                    .new_place = [] { return new_queue_place(); },
                    .open = [](const std::string& place) { return open_url_queue(place); },
                    .end_claims = end_queue_claims,
                    .problems = queue_problems});
    return made;
  }();
  return all;
}

}  // namespace robotrules::test

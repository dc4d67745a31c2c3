#include "servers/postgres/queue/queue_tables.hpp"

namespace robotrules::store::postgres {

std::vector<const char*> make_queue_tables() {
  return {
      // The last ids that were given to URLs and sites of any job. One row.
      "CREATE TABLE queue_number(url bigint NOT NULL, site bigint NOT NULL)",
      "INSERT INTO queue_number VALUES(0, 0)",
      // fence: of the last claim. removing: 1 while remove_job() is under way or was interrupted.
      "CREATE TABLE queue_job(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name bytea NOT NULL UNIQUE,"
      " note bytea NOT NULL DEFAULT '', fence bigint NOT NULL DEFAULT 0, removing bigint NOT NULL DEFAULT 0)",
      // The workers. The row of a worker that has ended is deleted, and then its sites are free. process, started and
      // realm: see Process. label: host and process id, for people. idle: 1 while it has no site. urls: settled so far.
      // rate: URLs in 1,000 seconds.
      "CREATE TABLE queue_worker(job bigint, fence bigint, ends_at bigint NOT NULL, process bigint NOT NULL,"
      " started bigint NOT NULL, realm bigint NOT NULL, label bytea NOT NULL, idle bigint NOT NULL DEFAULT 0, urls "
      "bigint NOT NULL DEFAULT 0,"
      " rate bigint NOT NULL DEFAULT 0, PRIMARY KEY(job, fence)) WITH (fillfactor = 50)",
      // fence: that of the worker that has the site; 0: it is free. rank: the least one of the pending URLs.
      "CREATE TABLE queue_site(id bigint PRIMARY KEY, job bigint NOT NULL, origin bytea NOT NULL,"
      " pending bigint NOT NULL DEFAULT 0, rank bigint NOT NULL DEFAULT 0, fence bigint NOT NULL DEFAULT 0,"
      " UNIQUE(job, origin)) WITH (autovacuum_vacuum_scale_factor = 0.05)",
      "CREATE INDEX queue_site_pending ON queue_site(job, rank, id) WHERE pending > 0",
      "CREATE INDEX queue_site_free ON queue_site(job, rank, id) WHERE pending > 0 AND fence = 0",
      "CREATE INDEX queue_site_claimed ON queue_site(job, fence) WHERE fence <> 0",
      // hash: of method and URL. url: the part after the site's origin, or the whole URL. method null: GET.
      "CREATE TABLE queue_url(id bigint PRIMARY KEY, job bigint NOT NULL, site bigint NOT NULL, rank bigint NOT NULL,"
      " state bigint NOT NULL DEFAULT 0, hash bytea NOT NULL, url bytea NOT NULL, method bytea, headers bytea,"
      " status bigint, why bytea, etag bytea, last_modified bytea, at bigint, bytes bigint, page_at bigint,"
      " warning bytea) WITH (autovacuum_vacuum_scale_factor = 0.05)",
      "CREATE INDEX queue_url_job ON queue_url(job, id)",
      "CREATE UNIQUE INDEX queue_url_hash ON queue_url(job, hash)",
      "CREATE INDEX queue_url_pending ON queue_url(site, rank, id) WHERE state = 0",
      // Two machines may each have a file of that name.
      "CREATE TABLE queue_output(machine bytea, name bytea, job bigint NOT NULL, position bigint NOT NULL,"
      " PRIMARY KEY(machine, name))",
      "CREATE INDEX queue_output_job ON queue_output(job)",
      // The number of URLs of a job in each state is the sum of its rows. There are several, so that workers seldom
      // wait for each other. A number may be negative.
      "CREATE TABLE queue_count(job bigint, slot bigint, pending bigint NOT NULL, done bigint NOT NULL,"
      " denied bigint NOT NULL, failed bigint NOT NULL, parked bigint NOT NULL, cut bigint NOT NULL,"
      " PRIMARY KEY(job, slot)) WITH (fillfactor = 25)",
  };
}

// QueuedUrl::found and UrlResult::digest.
std::vector<const char*> add_found_and_digest() {
  return {"ALTER TABLE queue_url ADD COLUMN found bytea, ADD COLUMN digest bytea"};
}

// UrlResult::page_url.
std::vector<const char*> add_page_url() { return {"ALTER TABLE queue_url ADD COLUMN page_url bytea"}; }

}  // namespace robotrules::store::postgres

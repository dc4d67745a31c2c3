-- The tables of a store, version by version. A statement version_N_... upgrades the tables from version N - 1 to
-- version N; they are run in this order. None is changed after a release; new ones are added. Texts that sites choose
-- are bytea, because a text of PostgreSQL has neither NUL nor bytes that are not UTF-8. Times are microseconds since
-- 1970.

-- version_1_owner(): the processes that use the store. One whose time has ended is dead for good: it may not prolong
-- it.
CREATE TABLE owner(id bigint PRIMARY KEY, ends_at bigint NOT NULL);
-- version_1_gate(): a row changes twice a visit, so each page has room for new versions of its rows, and no index has
-- to follow. holds: see packing.hpp.
CREATE TABLE gate(key bytea PRIMARY KEY, interval bigint NOT NULL DEFAULT 0, source bigint NOT NULL DEFAULT 0,
  armed_at bigint NOT NULL DEFAULT 0, penalty_until bigint NOT NULL DEFAULT 0, incident_at bigint NOT NULL DEFAULT 0,
  incidents bigint NOT NULL DEFAULT 0, visits bigint NOT NULL DEFAULT 0, last_visit bigint,
  fence bigint NOT NULL DEFAULT 0, latency bigint NOT NULL DEFAULT 0, holds bytea)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
-- version_1_body(): origins with equal bodies share one row. hash: SHA-256. coding 0: not compressed, 1: zstd.
CREATE TABLE body(hash bytea PRIMARY KEY, size bigint NOT NULL, coding bigint NOT NULL, octets bytea NOT NULL);
-- version_1_octets()
ALTER TABLE body ALTER COLUMN octets SET STORAGE EXTERNAL;
-- version_1_robots(): outcome null: there is no record, only a lease. url null: the URL is the origin's own
-- /robots.txt. A lease that has ended has its fence negated. version: rises with each change of the record.
CREATE TABLE robots(origin bytea PRIMARY KEY, body bytea, outcome bigint, status bigint, url bytea, hops bytea,
  etag bytea, last_modified bytea, fetched_at bigint, fresh_until bigint, failing_since bigint, failures bigint,
  truncated bigint NOT NULL DEFAULT 0, version bigint NOT NULL DEFAULT 0, lease_fence bigint NOT NULL DEFAULT 0,
  lease_until bigint NOT NULL DEFAULT 0, lease_owner bigint) WITH (fillfactor = 80);
-- version_1_robots_body()
CREATE INDEX robots_body ON robots(body);
-- version_2_number(): the last ids that were given to URLs and sites of any job. One row.
CREATE TABLE queue_number(url bigint NOT NULL, site bigint NOT NULL);
-- version_2_first_number()
INSERT INTO queue_number VALUES(0, 0);
-- version_2_job(): fence: of the last claim. removing: 1 while remove_job() is under way or was interrupted.
CREATE TABLE queue_job(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name bytea NOT NULL UNIQUE,
  note bytea NOT NULL DEFAULT '', fence bigint NOT NULL DEFAULT 0, removing bigint NOT NULL DEFAULT 0);
-- version_2_worker(): the row of a worker that has ended is deleted, and then its sites are free. process, started and
-- realm: see Process. label: host and process id, for people. idle: 1 while it has no site. urls: settled so far. rate:
-- URLs in 1,000 seconds.
CREATE TABLE queue_worker(job bigint, fence bigint, ends_at bigint NOT NULL, process bigint NOT NULL,
  started bigint NOT NULL, realm bigint NOT NULL, label bytea NOT NULL, idle bigint NOT NULL DEFAULT 0,
  urls bigint NOT NULL DEFAULT 0, rate bigint NOT NULL DEFAULT 0, PRIMARY KEY(job, fence)) WITH (fillfactor = 50);
-- version_2_site(): fence: that of the worker that has the site; 0: it is free. rank: the least one of the pending
-- URLs.
CREATE TABLE queue_site(id bigint PRIMARY KEY, job bigint NOT NULL, origin bytea NOT NULL,
  pending bigint NOT NULL DEFAULT 0, rank bigint NOT NULL DEFAULT 0, fence bigint NOT NULL DEFAULT 0,
  UNIQUE(job, origin)) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- version_2_site_pending()
CREATE INDEX queue_site_pending ON queue_site(job, rank, id) WHERE pending > 0;
-- version_2_site_free()
CREATE INDEX queue_site_free ON queue_site(job, rank, id) WHERE pending > 0 AND fence = 0;
-- version_2_site_claimed()
CREATE INDEX queue_site_claimed ON queue_site(job, fence) WHERE fence <> 0;
-- version_2_url(): hash: of method and URL. url: the part after the site's origin, or the whole URL. method null: GET.
CREATE TABLE queue_url(id bigint PRIMARY KEY, job bigint NOT NULL, site bigint NOT NULL, rank bigint NOT NULL,
  state bigint NOT NULL DEFAULT 0, hash bytea NOT NULL, url bytea NOT NULL, method bytea, headers bytea, status bigint,
  why bytea, etag bytea, last_modified bytea, at bigint, bytes bigint, page_at bigint, warning bytea)
  WITH (autovacuum_vacuum_scale_factor = 0.05);
-- version_2_url_job()
CREATE INDEX queue_url_job ON queue_url(job, id);
-- version_2_url_hash()
CREATE UNIQUE INDEX queue_url_hash ON queue_url(job, hash);
-- version_2_url_pending()
CREATE INDEX queue_url_pending ON queue_url(site, rank, id) WHERE state = 0;
-- version_2_output(): two machines may each have a file of that name.
CREATE TABLE queue_output(machine bytea, name bytea, job bigint NOT NULL, position bigint NOT NULL,
  PRIMARY KEY(machine, name));
-- version_2_output_job()
CREATE INDEX queue_output_job ON queue_output(job);
-- version_2_count(): the number of URLs of a job in each state is the sum of its rows. There are several, so that
-- workers seldom wait for each other. A number may be negative.
CREATE TABLE queue_count(job bigint, slot bigint, pending bigint NOT NULL, done bigint NOT NULL, denied bigint NOT NULL,
  failed bigint NOT NULL, parked bigint NOT NULL, cut bigint NOT NULL, PRIMARY KEY(job, slot)) WITH (fillfactor = 25);
-- version_3_url(): QueuedUrl::found and UrlResult::digest.
ALTER TABLE queue_url ADD COLUMN found bytea, ADD COLUMN digest bytea;
-- version_4_url(): UrlResult::page_url.
ALTER TABLE queue_url ADD COLUMN page_url bytea;
-- version_5_gate(): rows of refusals and of failures. A process of an older version leaves these columns as they are.
ALTER TABLE gate ADD COLUMN recovery bigint NOT NULL DEFAULT 0, ADD COLUMN failures bigint NOT NULL DEFAULT 0,
  ADD COLUMN failing_since bigint NOT NULL DEFAULT 0, ADD COLUMN failed_at bigint NOT NULL DEFAULT 0;

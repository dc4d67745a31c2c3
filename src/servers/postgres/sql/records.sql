-- The tables robots and body. A body is put under a shared lock of its bucket and deleted under an exclusive one. So no
-- record gets a body that is deleted at the same moment. All transactions lock in the same order: the tables, then
-- bodies by their hash, then records by their origin.

-- lock_buckets(bigint[])
SELECT pg_catalog.pg_advisory_xact_lock_shared({lock_space}, n::int) FROM pg_catalog.unnest($1) AS n ORDER BY n;
-- try_lock_buckets(bigint[])
SELECT n FROM pg_catalog.unnest($1) AS n WHERE pg_catalog.pg_try_advisory_xact_lock({lock_space}, n::int);
-- put_bodies({body []})
INSERT INTO body({body}) SELECT * FROM unnest({body $}) AS n({body}) ORDER BY n.hash ON CONFLICT DO NOTHING;
-- delete_orphans(bytea[])
DELETE FROM body WHERE hash = ANY($1) AND NOT EXISTS(SELECT 1 FROM robots WHERE robots.body = body.hash);
-- find_orphans(bytea, bigint): the next ones after a hash
SELECT hash FROM body WHERE hash > $1 AND NOT EXISTS(SELECT 1 FROM robots WHERE robots.body = body.hash)
ORDER BY hash LIMIT $2;
-- find_record(bytea, text): without its body if it has that version
SELECT {robots} FROM robots LEFT JOIN body ON hash = robots.body AND version::text <> $2
WHERE origin = $1 AND outcome IS NOT NULL;
-- page_of_records(bytea, bigint, bigint): the next ones after an origin, as long as their bodies have so few bytes
SELECT {robots} FROM (
  SELECT *, sum(stored) OVER (ORDER BY origin) - stored AS before FROM (
    SELECT robots.*, coding, octets, size, hash, coalesce(pg_catalog.octet_length(octets), 0) AS stored
    FROM robots LEFT JOIN body ON hash = robots.body
    WHERE origin > $1 AND outcome IS NOT NULL ORDER BY origin LIMIT $3) AS page) AS robots
WHERE before < $2 ORDER BY origin;
-- lock_records()
LOCK TABLE robots IN ROW EXCLUSIVE MODE;
-- bodies_of(bytea[])
SELECT DISTINCT body FROM robots WHERE origin = ANY($1) AND body IS NOT NULL;
-- put_records({record []})
INSERT INTO robots({record}, version) SELECT n.*, {now} FROM unnest({record $}) AS n({record}) ORDER BY n.origin
ON CONFLICT (origin) DO UPDATE SET {record = excluded.}, version = greatest(robots.version + 1, excluded.version);
-- put_newer_records({record []}): a row stays if its record was fetched later
INSERT INTO robots({record}, version) SELECT n.*, {now} FROM unnest({record $}) AS n({record}) ORDER BY n.origin
ON CONFLICT (origin) DO UPDATE SET {record = excluded.}, version = greatest(robots.version + 1, excluded.version)
WHERE robots.outcome IS NULL OR excluded.fetched_at >= robots.fetched_at;
-- set_fresh_until(bytea, bigint)
UPDATE robots SET fresh_until = $2, version = greatest(version + 1, {now}) WHERE origin = $1 AND outcome IS NOT NULL;
-- lock_body_of(bytea)
SELECT body FROM robots WHERE origin = $1 AND outcome IS NOT NULL FOR UPDATE;
-- erase_record(bytea): keeps the row with the fence of its lease, so that the next lease gets a greater one
UPDATE robots SET body = NULL, outcome = NULL WHERE origin = $1;
-- lock_old_records(bytea, bigint, bigint, bigint): the next ones after an origin; $3: the time, null: the server's
SELECT origin, outcome IS NOT NULL FROM robots WHERE origin > $1 AND (outcome IS NULL OR fresh_until < $2)
AND (lease_fence <= 0 OR lease_until <= coalesce($3, {now})) ORDER BY origin LIMIT $4 FOR UPDATE SKIP LOCKED;
-- delete_records(bytea[])
DELETE FROM robots WHERE origin = ANY($1);
-- lock_all()
LOCK TABLE gate, robots, body IN EXCLUSIVE MODE;
-- clear_unleased()
DELETE FROM robots WHERE lease_fence = 0;
-- clear_records()
UPDATE robots SET body = NULL, outcome = NULL;
-- clear_bodies()
DELETE FROM body;
-- add_lease(bytea)
INSERT INTO robots(origin) VALUES($1) ON CONFLICT DO NOTHING;
-- lock_lease(bytea)
SELECT lease_fence, lease_until, lease_owner, version, outcome IS NULL FROM robots WHERE origin = $1 FOR UPDATE;
-- set_lease(bytea, bigint, bigint, bigint)
UPDATE robots SET lease_fence = $2, lease_until = $3, lease_owner = $4 WHERE origin = $1;
-- end_lease(bytea, bigint, bigint): $3: the time, null: the server's
UPDATE robots SET lease_fence = -lease_fence, lease_owner = NULL
WHERE origin = $1 AND lease_fence = $2 AND lease_until > coalesce($3, {now});
-- count_rows(text)
SELECT (SELECT count(*) FROM robots WHERE outcome IS NOT NULL), count(*), coalesce(sum(size), 0)::bigint,
  (SELECT count(*) FROM gate),
  (SELECT sum(pg_catalog.pg_total_relation_size(pg_class.oid))::bigint FROM pg_class
   JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind = 'r')
FROM body WHERE EXISTS(SELECT 1 FROM robots WHERE robots.body = body.hash);

-- The tables meta and owner, and what a store asks the server before it has tables.

-- read_now()
SELECT {now};
-- read_meta(text)
SELECT value FROM meta WHERE name = $1;
-- set_meta(text, bytea)
INSERT INTO meta VALUES($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2;
-- add_meta(text): a row to lock, so that two processes do not set different values at once
INSERT INTO meta VALUES($1, '') ON CONFLICT DO NOTHING;
-- lock_meta(text)
SELECT value FROM meta WHERE name = $1 FOR UPDATE;
-- add_server()
INSERT INTO meta SELECT 'server', pg_catalog.convert_to({server_start}::text, 'UTF8');
-- add_just_visited()
INSERT INTO meta SELECT 'just_visited', pg_catalog.convert_to({now}::text, 'UTF8');
-- read_moment(bigint)
SELECT {now}, {server_start}, (SELECT value FROM meta WHERE name = 'server'),
  (SELECT value FROM meta WHERE name = 'just_visited'), (SELECT ends_at FROM owner WHERE id = $1), $1;
-- add_owner(bigint, bigint)
INSERT INTO owner VALUES($1, {now} + $2);
-- prolong_owner(bigint, bigint)
UPDATE owner SET ends_at = {now} + $2 WHERE id = $1 AND ends_at > {now};
-- delete_old_owners(bigint)
DELETE FROM owner WHERE id IN (SELECT id FROM owner WHERE ends_at < {now} - $1 * 100 ORDER BY id LIMIT 100
FOR UPDATE SKIP LOCKED);
-- find_owners(bigint[])
SELECT id, ends_at FROM owner WHERE id = ANY($1);
-- find_schema(text)
SELECT 1 FROM pg_namespace WHERE nspname = $1;
-- count_tables(text)
SELECT count(*) FILTER (WHERE relname = 'meta'), count(*) FILTER (WHERE relname <> 'meta'),
  pg_catalog.current_setting('transaction_read_only') = 'on'
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = $1 AND relkind IN ('r', 'p', 'v', 'm', 'f');
-- missing_rights(text)
SELECT pg_catalog.string_agg(wanted || ' on ' || pg_catalog.quote_ident($1) || '.' || pg_catalog.quote_ident(relname),
  ', ')
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace,
  pg_catalog.unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS wanted
WHERE nspname = $1 AND relkind = 'r' AND NOT pg_catalog.has_table_privilege(pg_class.oid, wanted);
-- may_use_schema(text)
SELECT pg_catalog.has_schema_privilege($1, 'USAGE');
-- lock_upgrade(text)
SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended($1, {lock_space}));

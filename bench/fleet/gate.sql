-- What the gate of src/servers/postgres does for 64 requests, for pgbench: the same statements over as many rows, in as many
-- round trips, without the decisions.
\set base random(0, 15624)
\startpipeline
BEGIN;
INSERT INTO robotrules.gate(key) SELECT convert_to('http://site' || (:base + g * 15625) || '.example', 'UTF8') AS key FROM generate_series(0, 63) AS g ORDER BY key ON CONFLICT DO NOTHING;
SELECT * FROM robotrules.gate WHERE key = ANY(ARRAY(SELECT convert_to('http://site' || (:base + g * 15625) || '.example', 'UTF8') FROM generate_series(0, 63) AS g)) ORDER BY key FOR UPDATE;
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
\endpipeline
\startpipeline
UPDATE robotrules.gate SET interval = 10000000, armed_at = n.now, visits = visits + 1, last_visit = n.now, fence = fence + 1 FROM (SELECT convert_to('http://site' || (:base + g * 15625) || '.example', 'UTF8') AS key, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now FROM generate_series(0, 63) AS g) AS n WHERE gate.key = n.key;
COMMIT;
\endpipeline

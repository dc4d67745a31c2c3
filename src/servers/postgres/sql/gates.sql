-- The table gate.

-- add_gates(bytea[])
INSERT INTO gate(key) SELECT key FROM pg_catalog.unnest($1) AS n(key) ORDER BY key ON CONFLICT DO NOTHING RETURNING key;
-- lock_gates(bytea[])
SELECT {gate} FROM gate WHERE key = ANY($1) ORDER BY key FOR UPDATE;
-- lock_free_gates(bytea[])
SELECT {gate} FROM gate WHERE key = ANY($1) ORDER BY key FOR UPDATE SKIP LOCKED;
-- write_gates({gate []})
UPDATE gate SET {gate = n.} FROM unnest({gate $}) AS n({gate}) WHERE gate.key = n.key;
-- delete_gates(bytea[])
DELETE FROM gate WHERE key = ANY($1);
-- find_gate(bytea)
SELECT {gate} FROM gate WHERE key = $1;
-- lock_unvisited_gates(bytea, bigint, bigint): the next ones after a key
SELECT {gate} FROM gate WHERE key > $1 AND (last_visit IS NULL OR last_visit < $2) ORDER BY key LIMIT $3
FOR UPDATE SKIP LOCKED;
-- forget_visits()
UPDATE gate SET visits = 0, last_visit = NULL WHERE visits <> 0 OR last_visit IS NOT NULL;

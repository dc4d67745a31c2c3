-- The tables of the URL queues.
--
-- Each transaction that changes the state of a URL first locks the row of its site, the sites in the order of their
-- ids. So no two transactions wait for each other, and a state that was read after the lock is still the same. {lapsed
-- T L} is true for a worker whose lease of the length L has ended at the time T, null: that of the server.

-- find_item(bigint, bytea)
SELECT {item} FROM queue_url AS u JOIN queue_site AS s ON s.id = u.site WHERE u.job = $1 AND u.hash = $2;
-- find_pending(bigint, bigint, bigint, bigint): those of a site after a rank and an id
SELECT {item} FROM queue_url AS u JOIN queue_site AS s ON s.id = u.site
WHERE u.site = $1 AND u.state = 0 AND (u.rank, u.id) > ($2, $3) ORDER BY u.rank, u.id LIMIT $4;
-- page_of_items(bigint, bigint, bigint, bigint): those of a job after an id in one of the states
SELECT {item} FROM (SELECT * FROM queue_url WHERE job = $1 AND id > $2 ORDER BY id LIMIT $3) AS u
JOIN queue_site AS s ON s.id = u.site WHERE (1::bigint << u.state::int) & $4 <> 0 ORDER BY u.id;
-- end_of_page(bigint, bigint, bigint)
SELECT max(id) FROM (SELECT id FROM queue_url WHERE job = $1 AND id > $2 ORDER BY id LIMIT $3) AS page;
-- find_sites(bigint, bigint, bigint, bigint): those with pending URLs after a rank and an id
SELECT {site} FROM queue_site WHERE job = $1 AND pending > 0 AND (rank, id) > ($2, $3) ORDER BY rank, id LIMIT $4;
-- has_site(bigint, bigint)
SELECT 1 FROM queue_site WHERE id = $1 AND job = $2;
-- has_claimed_site(bigint, bigint, bigint)
SELECT 1 FROM queue_site WHERE id = $1 AND job = $2 AND fence = $3;
-- read_counts(bigint)
SELECT {counts} FROM queue_count WHERE job = $1;
-- lock_sites_of(bigint, bigint[], bigint[]): of URLs, and further sites. "job + 0" keeps the index of jobs out: before
-- the first ANALYZE, a job seems to have few URLs.
SELECT id, fence FROM queue_site WHERE id IN (SELECT site FROM queue_url WHERE id = ANY($2) AND job + 0 = $1
UNION ALL SELECT pg_catalog.unnest($3)) ORDER BY id FOR NO KEY UPDATE;
-- find_states(bigint, bigint[])
SELECT id, site, state FROM queue_url WHERE id = ANY($2) AND job + 0 = $1;
-- lock_sites(bigint[])
SELECT 1 FROM queue_site WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE;
-- set_results({result []})
UPDATE queue_url SET {result = new.} FROM unnest({result $}) AS new({result}) WHERE queue_url.id = new.id;
-- delete_urls(bigint[])
DELETE FROM queue_url WHERE id = ANY($1);
-- lock_sites_to_reopen(bigint, bigint, bigint, bigint, bigint): those of {reopened}
SELECT id FROM queue_site WHERE id IN (SELECT site FROM queue_url WHERE {reopened}) ORDER BY id FOR NO KEY UPDATE;
-- find_urls_to_reopen(bigint, bigint, bigint, bigint, bigint, bigint[])
SELECT id, site, state FROM queue_url WHERE {reopened} AND site = ANY($6);
-- reopen_urls(bigint[])
UPDATE queue_url SET state = 0 WHERE id = ANY($1);
-- change_pending(bigint[], bigint[])
UPDATE queue_site SET pending = queue_site.pending + change.pending, rank = coalesce((SELECT queue_url.rank
FROM queue_url WHERE queue_url.site = queue_site.id AND state = 0 ORDER BY queue_url.rank LIMIT 1), 0)
FROM unnest($1, $2) AS change(id, pending) WHERE queue_site.id = change.id;
-- change_counts(bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint)
INSERT INTO queue_count VALUES($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (job, slot) DO UPDATE
SET pending = queue_count.pending + $3, done = queue_count.done + $4, denied = queue_count.denied + $5,
failed = queue_count.failed + $6, parked = queue_count.parked + $7, cut = queue_count.cut + $8;
-- find_hashes(bigint, bytea[])
SELECT hash FROM queue_url WHERE job = $1 AND hash = ANY($2);
-- find_headers(bigint, bytea[])
SELECT hash, headers FROM queue_url WHERE job = $1 AND hash = ANY($2) AND headers IS NOT NULL;
-- find_ids_of_sites(bigint, bytea[])
SELECT id, origin FROM queue_site WHERE job = $1 AND origin = ANY($2);
-- reserve_ids(bigint, bigint)
UPDATE queue_number SET url = url + $1, site = site + $2 RETURNING url, site;
-- add_sites(bigint, bigint[], bytea[])
INSERT INTO queue_site(id, job, origin) SELECT new.id, $1, new.origin FROM unnest($2, $3) WITH ORDINALITY
AS new(id, origin, place) ORDER BY place ON CONFLICT (job, origin) DO NOTHING;
-- add_urls({new_url []}, bigint)
INSERT INTO queue_url({new_url}, job) SELECT {new_url}, {new_url + 1} FROM unnest({new_url $}) WITH ORDINALITY
AS new({new_url}, place) ORDER BY place ON CONFLICT (job, hash) DO NOTHING RETURNING id;
-- find_output(bytea, bytea, bigint)
SELECT position FROM queue_output WHERE machine = $1 AND name = $2 AND job = $3;
-- find_output_owner(bytea, bytea)
SELECT job, queue_job.name FROM queue_output JOIN queue_job ON queue_job.id = job
WHERE machine = $1 AND queue_output.name = $2;
-- keep_output(bytea, bytea, bigint, bigint)
INSERT INTO queue_output VALUES($1, $2, $3, $4) ON CONFLICT (machine, name) DO UPDATE SET position = $4
WHERE queue_output.job = $3;
-- claim_sites(bigint, bigint, bigint)
WITH free AS MATERIALIZED (SELECT id FROM queue_site WHERE job = $1 AND pending > 0 AND fence = 0
ORDER BY rank, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
UPDATE queue_site SET fence = $2 FROM free WHERE queue_site.id = free.id
RETURNING queue_site.id, origin, pending, rank;
-- release_sites(bigint, bigint, bigint[])
UPDATE queue_site SET fence = 0 WHERE id IN (SELECT id FROM queue_site WHERE job = $1 AND fence = $2 AND id = ANY($3)
ORDER BY id FOR NO KEY UPDATE);
-- release_unknown_sites(bigint, bigint, bigint[], bigint, bigint): all but those of $3, unless it is later than $4; $5:
-- the time, null: the server's
UPDATE queue_site SET fence = 0 WHERE id IN (SELECT id FROM queue_site WHERE job = $1 AND fence = $2 AND fence <> 0
AND NOT EXISTS(SELECT 1 FROM pg_catalog.unnest($3) AS known(site) WHERE known.site = id)
AND coalesce($5, {now}) <= $4 ORDER BY id FOR NO KEY UPDATE);
-- free_sites(bigint, bigint[]): those of workers that have ended
UPDATE queue_site SET fence = 0 WHERE id IN (SELECT id FROM queue_site WHERE job = $1 AND fence <> 0
AND fence = ANY($2) ORDER BY id FOR NO KEY UPDATE);
-- add_worker(bigint, bigint, bigint, bigint, bytea, bigint, bigint): $6: the length of the lease; $7: the time, null:
-- the server's
WITH next AS (UPDATE queue_job SET fence = greatest(fence + 1, coalesce($7, {now})) WHERE id = $1 AND removing = 0
RETURNING fence)
INSERT INTO queue_worker(job, fence, ends_at, process, started, realm, label)
SELECT $1, fence, coalesce($7, {now}) + $6, $2, $3, $4, $5 FROM next RETURNING fence;
-- renew_worker(bigint, bigint, bigint, bigint, bigint, bigint, bigint): $6 and $7: as in add_worker
UPDATE queue_worker SET ends_at = coalesce($7, {now}) + $6, urls = $3, rate = $4, idle = idle * $5
WHERE job = $1 AND fence = $2;
-- set_idle(bigint, bigint, bigint)
UPDATE queue_worker SET idle = $3 WHERE job = $1 AND fence = $2 AND idle <> $3;
-- count_workers(bigint, bigint, bigint, bigint): all, others that are idle, and the worker itself
SELECT count(*), count(*) FILTER (WHERE idle = 1 AND fence <> $2), count(*) FILTER (WHERE fence = $2)
FROM queue_worker WHERE job = $1 AND (fence = $2 OR NOT {lapsed $3 $4});
-- lock_worker(bigint, bigint): its row cannot be deleted before the end of the transaction
SELECT 1 FROM queue_worker WHERE job = $1 AND fence = $2 FOR KEY SHARE;
-- find_other_worker(bigint, bigint, bigint, bigint)
SELECT label FROM queue_worker WHERE job = $1 AND fence <> $2 AND NOT {lapsed $3 $4} LIMIT 1;
-- find_processes(bigint, bigint)
SELECT fence, process, started, realm FROM queue_worker WHERE job = $1 AND realm = $2;
-- delete_workers(bigint, bigint[])
DELETE FROM queue_worker WHERE job = $1 AND fence = ANY($2);
-- delete_lapsed(bigint, bigint, bigint, bigint): but for the worker $2. A row that another transaction uses is that of
-- a worker that is not dead.
DELETE FROM queue_worker WHERE job = $1 AND fence IN (SELECT fence FROM queue_worker WHERE job = $1 AND fence <> $2
AND {lapsed $3 $4} FOR UPDATE SKIP LOCKED) RETURNING fence;
-- add_job(bytea)
INSERT INTO queue_job(name) SELECT $1 WHERE NOT EXISTS(SELECT 1 FROM queue_job WHERE name = $1) ON CONFLICT DO NOTHING;
-- find_job(bytea)
SELECT id, removing FROM queue_job WHERE name = $1;
-- lock_job(bigint): if it was not removed. It is not removed before the end of the transaction
SELECT 1 FROM queue_job WHERE id = $1 AND removing = 0 FOR KEY SHARE;
-- lock_job_to_remove(bigint): transactions that add URLs or make a worker have locked the row
SELECT 1 FROM queue_job WHERE id = $1 FOR UPDATE;
-- mark_removed(bigint)
UPDATE queue_job SET removing = 1 WHERE id = $1;
-- read_note(bigint)
SELECT note FROM queue_job WHERE id = $1 AND removing = 0;
-- set_note(bigint, bytea)
UPDATE queue_job SET note = $2 WHERE id = $1 AND removing = 0;
-- describe_jobs(bigint): $1, here and below: the only job, or null
SELECT id, name, note FROM queue_job WHERE id = coalesce($1, id) ORDER BY id;
-- describe_counts(bigint)
SELECT job, {counts} FROM queue_count WHERE job = coalesce($1, job) GROUP BY job;
-- describe_outputs(bigint)
SELECT job, machine, name FROM queue_output WHERE job = coalesce($1, job) ORDER BY name, machine;
-- describe_workers(bigint, bigint, bigint)
SELECT job, count(*), coalesce(sum(rate), 0)::bigint FROM queue_worker WHERE job = coalesce($1, job)
AND NOT {lapsed $2 $3} GROUP BY job;
-- describe_sites(bigint)
SELECT job, count(*) FILTER (WHERE fence <> 0), count(*) FILTER (WHERE fence = 0) FROM queue_site
WHERE pending > 0 AND job = coalesce($1, job) GROUP BY job;
-- remove_urls(bigint, bigint)
DELETE FROM queue_url WHERE id IN (SELECT id FROM queue_url WHERE job = $1 ORDER BY id LIMIT $2);
-- remove_sites(bigint)
DELETE FROM queue_site WHERE job = $1;
-- remove_counts(bigint)
DELETE FROM queue_count WHERE job = $1;
-- remove_outputs(bigint)
DELETE FROM queue_output WHERE job = $1;
-- remove_workers(bigint)
DELETE FROM queue_worker WHERE job = $1;
-- remove_job(bigint)
DELETE FROM queue_job WHERE id = $1;

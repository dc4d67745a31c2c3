#!/bin/sh
# throughput.sh PROGRAM [SECONDS]: calls of the gate in a second, beside a bare client that asks the same servers for the
# same work in the same run. PROGRAM is robotrules_gates of a build for benchmarks (make bench builds it).
#   Redis: redis-benchmark calls the same function with the same pipeline.
#   PostgreSQL: pgbench makes the same statements over 64 rows in one transaction.
# The servers are started here, in a temporary folder, with durable settings, and are ended at the end. Three rounds, each
# with all programs; the figures are calls in a second.
set -eu
program=$(realpath "${1:?usage: throughput.sh PROGRAM [SECONDS]}")
seconds=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
batch=64
folder=$(mktemp -d)
redis_pid= postgres_pid=
finish() {
  [ -z "$redis_pid" ] || kill "$redis_pid" 2>/dev/null || true
  [ -z "$postgres_pid" ] || kill -INT "$postgres_pid" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

redis=$(command -v redis-server || true)
if [ -z "$redis" ] && command -v redis-check-rdb >/dev/null; then  # the same program: its name decides what it does
  ln -s "$(command -v redis-check-rdb)" "$folder/redis-server"
  redis=$folder/redis-server
fi
if [ -n "$redis" ]; then
  port=$(free_port)
  "$redis" --port "$port" --bind 127.0.0.1 --dir "$folder" --appendonly yes --save "" --daemonize no >"$folder/redis.log" &
  redis_pid=$!
  until redis-cli -p "$port" ping >/dev/null 2>&1; do kill -0 "$redis_pid"; done
  "$program" "redis://127.0.0.1:$port?first_ever=1&prefix=bench" --seconds 1 >/dev/null  # loads the functions
  name=$(redis-cli -p "$port" FUNCTION LIST | grep -o 'robotrules_[^ ]*_reserve' | head -1)
fi

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
if [ -n "$bin" ] && command -v pgbench >/dev/null; then
  as_owner=
  if [ "$(id -u)" = 0 ]; then
    chown postgres "$folder"
    as_owner="setpriv --reuid postgres --regid postgres --init-groups"
  fi
  $as_owner "$bin/initdb" -D "$folder/data" -U bench -A trust >/dev/null
  pg_port=$(free_port)
  $as_owner "$bin/postgres" -D "$folder/data" -p "$pg_port" -k "$folder" -c listen_addresses=127.0.0.1 \
    >"$folder/postgres.log" 2>&1 &
  postgres_pid=$!
  until psql -h 127.0.0.1 -p "$pg_port" -U bench -c '' postgres >/dev/null 2>&1; do kill -0 "$postgres_pid"; done
fi

for round in 1 2 3; do
  for clients in 1 4; do
    # Each run begins with rows that nothing was reserved on: new ones of Redis, a full table of PostgreSQL.
    run=run_${round}_$clients
    if [ -n "$redis" ]; then
      printf 'redis       %s client(s)  robotrules       ' "$clients"
      "$program" "redis://127.0.0.1:$port?first_ever=1&prefix=$run" --clients "$clients" --batch $batch --seconds "$seconds"
      printf 'redis       %s client(s)  redis-benchmark  ' "$clients"
      # The arguments of src/servers/redis/gate.lua.
      redis-benchmark -p "$port" -c "$clients" -P $batch -r 1000000 -n $((seconds * 60000)) --csv \
        FCALL "$name" 1 "bare_$run:{site__rand_int__.example}:g:http://site__rand_int__.example" \
        0/bench bare 30000000 '' __rand_int__ 1 10000000 0 0 0 0 300000000 1 86400000000 0 | tail -1 | cut -d, -f2
    fi
    if [ -n "$postgres_pid" ]; then
      pg_store="postgresql://bench@127.0.0.1:$pg_port/postgres?first_ever=1&schema=$run"
      "$program" "$pg_store" --batch 1 --keys 1 --seconds 1 >/dev/null  # makes the tables
      psql -q -h 127.0.0.1 -p "$pg_port" -U bench postgres <<SQL
INSERT INTO $run.gate(key) SELECT convert_to('http://site' || g || '.example', 'UTF8') FROM generate_series(0, 999999) AS g
  ON CONFLICT DO NOTHING;
VACUUM ANALYZE $run.gate;
CHECKPOINT;
SQL
      printf 'postgresql  %s client(s)  robotrules       ' "$clients"
      "$program" "$pg_store" --clients "$clients" --batch $batch --seconds "$seconds"
      printf 'postgresql  %s client(s)  pgbench          ' "$clients"
      sed "s/robotrules\./$run./g" "$here/gate.sql" >"$folder/gate.sql"
      pgbench -h 127.0.0.1 -p "$pg_port" -U bench -n -M prepared -c "$clients" -T "$seconds" -f "$folder/gate.sql" postgres 2>&1 |
        awk -v batch=$batch '/^tps/ { printf "%.0f (%s transactions a second)\n", $3 * batch, $3 }'
      psql -q -h 127.0.0.1 -p "$pg_port" -U bench -c "DROP SCHEMA $run CASCADE" postgres 2>/dev/null
    fi
  done
done

#!/bin/sh
# run.sh COMMAND FOLDER [HOSTS] [PAGES]: 1,000,000 URLs on 20,000 virtual hosts of an nginx on loopback, by one
# `robotrules get` with its queue in a database and a WARC file as output, a second between two pages of a host. Writes
# FOLDER/samples.tsv (seconds, URLs done, resident KiB, descriptors), a line a second, and FOLDER/million.svg.
set -eu

command=$1
folder=$2
hosts=${3:-20000}
pages=${4:-50}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder/logs"
folder=$(cd "$folder" && pwd)

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > "$folder/nginx.conf" <<END
daemon off;
worker_processes 1;
pid $folder/nginx.pid;
error_log $folder/logs/error.log;
worker_rlimit_nofile 65536;
events { worker_connections 60000; }
http {
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path $folder/logs; proxy_temp_path $folder/logs; fastcgi_temp_path $folder/logs;
  uwsgi_temp_path $folder/logs; scgi_temp_path $folder/logs;
  server {
    listen 127.0.0.1:$port default_server backlog=65535;
    location = /robots.txt { return 200 "User-agent: *\nDisallow: /private\n"; }
    location / { root $folder; try_files /page =404; }
  }
}
END
head -c 4096 /dev/zero | tr '\0' 'x' > "$folder/page"
nginx -c "$folder/nginx.conf" -e "$folder/logs/error.log" &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT

awk -v hosts="$hosts" -v pages="$pages" -v port="$port" 'BEGIN {
  for (page = 0; page < pages; ++page) for (host = 0; host < hosts; ++host)
    print "http://h" host ".localhost:" port "/p" page }' > "$folder/urls"

rm -f "$folder"/crawl.db* "$folder/out.warc" "$folder/log"
"$command" get -i "$folder/urls" -o "$folder/out.warc" --db "$folder/crawl.db" --delay 1 --concurrency 1000 \
  --metrics 0 --from bench@example.org --allow-address 127.0.0.0/8 2> "$folder/log" &
crawl=$!
python3 "$here/sample.py" "$crawl" "$folder"
status=0
wait "$crawl" || status=$?
tail -n 20 "$folder/log"
echo "exit status $status"
python3 "$here/plot.py" "$folder/samples.tsv" "$folder/million.svg"

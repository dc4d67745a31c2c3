#!/usr/bin/env python3
"""peers.py COMMAND [SITES] [PAGES]: a crawl by several workers with one queue of URLs: `COMMAND get` (robotrules) with its
gate in Redis and its queue in PostgreSQL, and spiders of scrapy-redis with a queue in Redis, in turn, for the same sites.

The sites are addresses of the loopback network, served by an nginx whose log judges all crawls: URLs a second, requests
that came earlier than a second after the one before at the same site, which is the Crawl-delay of the robots.txt and the
delay that both are told. Then the same with two workers, of which one is killed (kill -9) at the middle and started
again: URLs that were never fetched, and URLs that were fetched twice. What is not installed is skipped with a message:
nginx, Redis, PostgreSQL, and scrapy-redis in the Python that PEER_PYTHON names (default: python3)."""
import collections
import os
import shutil
import signal
import subprocess
import sys
import time

from servers import Postgres, Redis, Server, folder, free_port, postgres_folder, redis_program, table, wait_until

command = os.path.realpath(sys.argv[1])
sites = int(sys.argv[2]) if len(sys.argv) > 2 else 100
pages = int(sys.argv[3]) if len(sys.argv) > 3 else 10
python = os.environ.get("PEER_PYTHON", "python3")
DELAY = 1.0
JITTER = 0.1  # a tenth of the delay: the clock of the log, the way of a request and a busy machine
LIMIT = 240  # seconds for one crawl
work = folder()

for needed, found in (("nginx", shutil.which("nginx")), ("redis-server", redis_program())):
    if not found:
        sys.exit(f"peers.py: skipped: {needed} is not installed")


class Site(Server):
    """All sites, and the log of what they were asked."""

    def __init__(self):
        self.port = free_port()
        hosts = [f"127.1.{i // 250}.{i % 250 + 1}" for i in range(sites)]
        self.urls = [f"http://{host}:{self.port}/p{page}" for page in range(pages) for host in hosts]
        self.log = work + "/requests"
        listens = "\n".join(f"listen {host}:{self.port};" for host in hosts)
        with open(work + "/nginx.conf", "w") as file:
            file.write(f"""daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/error.log;
events {{ worker_connections 4096; }}
http {{
  log_format seen '$msec $http_host $uri';
  access_log {self.log} seen;
  default_type text/html;
  client_body_temp_path {work}; proxy_temp_path {work}; fastcgi_temp_path {work}; uwsgi_temp_path {work};
  scgi_temp_path {work};
  server {{
    {listens}
    location = /robots.txt {{ return 200 "User-agent: *\\nCrawl-delay: {DELAY:.0f}\\n"; }}
    location / {{ return 200 "<title>page</title><p>{'x' * 4000}"; }}
  }}
}}
""")
        super().__init__(["nginx", "-c", work + "/nginx.conf", "-e", work + "/error.log"])
        wait_until(lambda: os.path.exists(work + "/nginx.pid"), "nginx")
        self.begin()

    def stop(self):
        super().stop(signal.SIGTERM)  # its worker ends with it

    def begin(self):
        """Forgets what was asked."""
        self.offset = os.path.getsize(self.log)

    def seen(self):
        with open(self.log) as file:
            file.seek(self.offset)
            lines = [line.split() for line in file if line.endswith("\n")]
        return [(float(at), host, path) for at, host, path in lines]

    def judge(self):
        last, times, early = {}, collections.Counter(), 0
        begin = end = None
        for at, host, path in sorted(self.seen()):
            if path == "/robots.txt":
                continue
            begin, end = begin or at, at
            times[host + path] += 1
            if host in last and at - last[host] < DELAY - JITTER:
                early += 1
            last[host] = at
        lost = len(self.urls) - len(times)
        twice = sum(count - 1 for count in times.values())
        return {"rate": len(times) / max(end - begin, 0.001) if end else 0, "requests": sum(times.values()),
                "early": early, "lost": lost, "twice": twice}

    def pages_seen(self):
        return sum(path != "/robots.txt" for _, _, path in self.seen())


class Ours:
    name = "robotrules get, Redis and PostgreSQL"

    def __init__(self, site):
        self.redis, self.postgres = Redis("--appendonly", "yes"), Postgres()
        self.input = work + "/urls"
        with open(self.input, "w") as file:
            file.write("\n".join(site.urls) + "\n")
        self.job = 0

    def prepare(self):
        self.job += 1
        self.redis.cli("flushall")

    def start(self, worker):
        # A new job: its first worker brings the URLs.
        return Server([command, "get", "--db", self.redis.url(), "--queue", self.postgres.url() + "&lease=5", "--job",
                       f"job{self.job}", "-i", self.input, "-o", f"{work}/ours-{self.job}-{worker}.warc", "--delay",
                       str(DELAY), "--from", "bench@example.org", "--allow-address", "127.0.0.0/8", "--quiet"])


SPIDER = """
import scrapy
from scrapy_redis.spiders import RedisSpider

class Pages(RedisSpider):
    name = "pages"
    redis_key = "pages:start_urls"
    def parse(self, response):
        yield {"url": response.url, "status": response.status, "body": response.text}
"""


class ScrapyRedis:
    name = "scrapy-redis"

    def __init__(self, site):
        self.redis = Redis("--appendonly", "yes")
        self.site = site
        with open(work + "/spider.py", "w") as file:
            file.write(SPIDER)
        self.runs = 0

    @staticmethod
    def is_installed():
        return subprocess.run([python, "-c", "import scrapy_redis"], capture_output=True).returncode == 0

    def prepare(self):
        self.runs += 1
        self.redis.cli("flushall")
        for begin in range(0, len(self.site.urls), 1000):
            self.redis.cli("rpush", "pages:start_urls", *self.site.urls[begin:begin + 1000])

    def start(self, worker):
        settings = {
            "SCHEDULER": "scrapy_redis.scheduler.Scheduler", "SCHEDULER_PERSIST": "True",
            "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
            "REDIS_URL": f"redis://127.0.0.1:{self.redis.port}", "ROBOTSTXT_OBEY": "True",
            "DOWNLOAD_DELAY": str(DELAY), "RANDOMIZE_DOWNLOAD_DELAY": "False",
            "CONCURRENT_REQUESTS_PER_DOMAIN": "1", "CONCURRENT_REQUESTS": str(max(16, sites)),
            "TELNETCONSOLE_ENABLED": "False", "LOG_LEVEL": "ERROR",
        }
        words = [python, "-m", "scrapy", "runspider", work + "/spider.py", "-o",
                 f"{work}/scrapy-{self.runs}-{worker}-{time.monotonic()}.jsonl"]
        for name, value in settings.items():
            words += ["-s", f"{name}={value}"]
        return Server(words, cwd=work)


def crawl(site, peer, workers, kills):
    """Waits until all pages were seen, or until no request has come for 45 s: the holds of a killed process in Redis end
    after 30."""
    site.begin()
    peer.prepare()
    running = {}
    for worker in range(workers):
        running[worker] = peer.start(worker)
        if worker == 0 and isinstance(peer, Ours):
            time.sleep(0.5)  # the first one makes the job
    begin = heard = time.monotonic()
    last = 0
    while time.monotonic() - begin < LIMIT and time.monotonic() - heard < 45:
        time.sleep(0.1)
        count = site.pages_seen()
        if count != last:
            last, heard = count, time.monotonic()
        if kills and count > len(site.urls) / 2:
            running[1].stop(signal.SIGKILL)
            running[1] = peer.start(1)
            kills = False
        if all(one.process.poll() is not None for one in running.values()):
            break
        if site.judge()["lost"] == 0 and time.monotonic() - heard > 3:
            break
    for one in running.values():
        one.stop(signal.SIGTERM)
    return site.judge()


site = Site()
peers = []
if postgres_folder():
    peers.append(Ours(site))
else:
    print("peers.py: robotrules is skipped: PostgreSQL is not installed")
if ScrapyRedis.is_installed():
    peers.append(ScrapyRedis(site))
else:
    print(f"peers.py: scrapy-redis is skipped: {python} does not have it (pip install scrapy-redis in a venv)")
rows = []
for peer in peers:
    for workers, kills in ((1, False), (2, False), (4, False), (2, True)):
        got = crawl(site, peer, workers, kills)
        rows.append([peer.name, f"{workers}, one killed" if kills else workers, f"{got['rate']:.0f}", got["requests"],
                     got["early"], got["lost"], got["twice"]])
print(f"{sites} sites with {pages} pages each, {DELAY:.0f} s between two requests to a site\n")
table(["crawler", "workers", "URLs/s", "requests", "early", "URLs never fetched", "URLs fetched twice"], rows)

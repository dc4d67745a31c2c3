"""scrapy_crawl.py DEMO_SITE: crawls of the demo's sites by Scrapy, with its own middleware for robots.txt and with ours.

DEMO_SITE: the program of demo/site (build/*/bin/demo_site). It serves some seventy sites on loopback, and writes the
log by which each crawl is judged. Needs Scrapy, and the package robotrules in the path of Python. Prints a table.

A site is closed to this robot if its robots.txt answers 429 or 5xx, hangs, or breaks off.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlsplit

AGENT = "DemoBot/1.0 (+mailto:demo@example.org)"
CLOSED = {"broken.localhost", "busy-door.localhost", "silent.localhost", "torn.localhost"}
LIMIT = 600  # seconds of a crawl
COMMON = {
    "USER_AGENT": AGENT,
    "CONCURRENT_REQUESTS": 32,
    "RETRY_TIMES": 1,
    "REDIRECT_MAX_TIMES": 7,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "ERROR",
}
OURS = {
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "robotrules.scrapy.RobotRulesMiddleware": 950,
    },
    "ROBOTRULES_MAX_WAIT": 5,
}


def ways(delay, folder):
    """Returns the rows of the table: a name, and settings."""
    own = {"ROBOTSTXT_OBEY": True, "DOWNLOAD_DELAY": delay}
    ours = {**OURS, "ROBOTRULES_DELAY": delay}
    return [
        ("Scrapy's own", own),
        ("Scrapy's own, one request a site, delay not randomised",
         {**own, "CONCURRENT_REQUESTS_PER_DOMAIN": 1, "RANDOMIZE_DOWNLOAD_DELAY": False}),
        ("robotrules, store in memory", ours),
        ("robotrules, store in a file", {**ours, "ROBOTRULES_STORE": os.path.join(folder, "crawl.db")}),
    ]


def crawl(settings, urls):
    """Runs a crawl in this process."""
    import scrapy
    from scrapy.crawler import CrawlerProcess
    from scrapy.resolver import dnscache

    class Demo(scrapy.Spider):
        name = "demo"
        custom_settings = settings

        def start_requests(self):
            for url in urls:
                yield scrapy.Request(url, self.parse, errback=lambda failure: None)

        async def start(self):
            for request in self.start_requests():
                yield request

        def parse(self, response):
            # The sitemaps of the site "maps" name its pages.
            for url in re.findall(r"<loc>([^<]+)</loc>", response.text if hasattr(response, "text") else ""):
                yield scrapy.Request(url, self.parse, errback=lambda failure: None)

    process = CrawlerProcess()
    for url in urls:  # the names are not in any DNS
        dnscache[urlsplit(url).hostname] = "127.0.0.1"
    process.crawl(Demo)
    process.start()


def judged(site, settings, delay):
    """Returns what the sites' log says of a crawl, and its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([site, "serve", folder], stdout=subprocess.PIPE, text=True)
        try:
            if server.stdout.readline() != "ready\n":
                sys.exit("the sites did not start")
            urls = pathlib.Path(folder, "urls.txt").read_text().split()
            task = json.dumps({"settings": {**COMMON, **settings}, "urls": urls})
            begun = time.monotonic()
            subprocess.run([sys.executable, __file__, "--crawl"], input=task, text=True, check=True, timeout=LIMIT,
                           stderr=subprocess.DEVNULL)
            seconds = time.monotonic() - begun
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)
        log = [json.loads(line) for line in pathlib.Path(folder, "requests.ndjson").read_text().splitlines()]
        said = subprocess.run([site, "check", folder, str(delay)], stdout=subprocess.PIPE, text=True).stdout
    pages = [one for one in log if one["path"] != "/robots.txt"]
    counts = dict((name, int(count)) for count, name in re.findall(r"(\d+) (forbidden|early|before robots.txt)", said))
    closed = sum(one["host"] in CLOSED for one in pages)
    return {
        "to closed sites": closed,
        "forbidden otherwise": counts["forbidden"] - closed,
        "early": counts["early"],
        "before robots.txt": counts["before robots.txt"],
        "pages": len({(one["host"], one["path"]) for one in pages if one["status"] == 200}),
        "seconds": round(seconds, 1),
    }


def main():
    if sys.argv[1:] == ["--crawl"]:
        task = json.load(sys.stdin)
        return crawl(task["settings"], task["urls"])
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("site", metavar="DEMO_SITE")
    options.add_argument("--delay", type=float, default=0.2, help="seconds between requests to a site")
    options.add_argument("--timeout", type=float, default=2, help="DOWNLOAD_TIMEOUT in seconds")
    options.add_argument("--rounds", type=int, default=3, help="the row with the median time of so many is printed")
    given = options.parse_args()
    import scrapy

    print(f"Scrapy {scrapy.__version__}, delay {given.delay} s, timeout {given.timeout} s, median of {given.rounds}")
    with tempfile.TemporaryDirectory() as folder:
        results = {}
        for number in range(given.rounds):
            where = os.path.join(folder, str(number))
            os.mkdir(where)
            for name, settings in ways(given.delay, where):
                row = judged(given.site, {**settings, "DOWNLOAD_TIMEOUT": given.timeout}, given.delay)
                results.setdefault(name, []).append(row)
    first = True
    for name, rows in results.items():
        row = sorted(rows, key=lambda one: one["seconds"])[len(rows) // 2]
        if first:
            print("| middleware | " + " | ".join(row) + " |")
            print("|---|" + "---|" * len(row))
            first = False
        print(f"| {name} | " + " | ".join(str(value) for value in row.values()) + " |")


if __name__ == "__main__":
    main()

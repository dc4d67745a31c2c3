"""crawl.py: a crawl by Scrapy, as a process of its own, because a process can run a reactor only once.

Standard input: {"urls": [...], "settings": {...}, "headers": {URL: {...}}, "meta": {URL: {...}}} as JSON. Standard
output: what became of each URL, and the statistics, as JSON. The log goes to standard error.
"""
import dataclasses
import json
import sys

import scrapy
from scrapy.crawler import CrawlerProcess

USER_AGENT = "FooBot/1.0 (+https://example.org/foobot)"


def main():
    task = json.load(sys.stdin)
    results = {}

    class Crawl(scrapy.Spider):
        name = "crawl"
        custom_settings = {
            "USER_AGENT": USER_AGENT,
            "LOG_LEVEL": "INFO",
            "TELNETCONSOLE_ENABLED": False,
            "RETRY_ENABLED": False,
            "DOWNLOADER_MIDDLEWARES": {
                "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                "robotrules.scrapy.RobotRulesMiddleware": 950,
            },
            **task["settings"],
        }

        def start_requests(self):
            for url in task["urls"]:
                headers, meta = task.get("headers", {}).get(url), dict(task.get("meta", {}).get(url, {}))
                yield scrapy.Request(url, self.parse, errback=self.fails, headers=headers, meta=dict(meta, asked=url))

        async def start(self):
            for request in self.start_requests():
                yield request

        def parse(self, response):
            rules = response.meta.get("robotrules")
            results[response.meta["asked"]] = {
                "status": response.status,
                "rules": None if rules is None else dataclasses.asdict(rules),
            }

        def fails(self, failure):
            value = failure.value
            response = getattr(value, "response", None)
            reason = getattr(value, "reason", type(value).__name__)
            if response is not None:
                reason = response.status
            results[failure.request.meta["asked"]] = {"failed": reason if isinstance(reason, (str, int)) else "other"}

    process = CrawlerProcess()
    crawler = process.create_crawler(Crawl)
    process.crawl(crawler)
    process.start()
    stats = {name: value for name, value in crawler.stats.get_stats().items() if isinstance(value, (int, float, str))}
    json.dump({"urls": results, "stats": stats}, sys.stdout)


if __name__ == "__main__":
    main()

"""crawl.py: a crawl by Scrapy, as a process of its own, because a process can run a reactor only once.

Standard input: {"urls": [...], "settings": {...}, "headers": {URL: {...}}, "meta": {URL: {...}}, "downloads": [...],
"crawls": 1, "again": false} as JSON. downloads: the URLs that the spider asks the engine for when it has its first page,
one after the other. crawls: so many spiders do the same at the same time. again: the spider asks again for what was
refused because the store failed. Standard output: what became of each URL, and the statistics, as JSON. The log goes to
standard error.
"""
import dataclasses
import json
import sys

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.utils.defer import maybe_deferred_to_future

USER_AGENT = "FooBot/1.0 (+https://example.org/foobot)"


async def download(engine, request):
    if hasattr(engine, "download_async"):
        return await engine.download_async(request)
    return await maybe_deferred_to_future(engine.download(request))


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

        again = 0  # requests that will be asked for again

        @classmethod
        def from_crawler(cls, crawler, *arguments, **named):
            spider = super().from_crawler(crawler, *arguments, **named)
            crawler.signals.connect(spider.idle, scrapy.signals.spider_idle)
            return spider

        def idle(self):
            if self.again:
                raise DontCloseSpider

        def ask_again(self, request):
            self.again -= 1
            self.crawler.engine.crawl(request.replace(dont_filter=True))

        def start_requests(self):
            for url in task["urls"]:
                headers, meta = task.get("headers", {}).get(url), dict(task.get("meta", {}).get(url, {}))
                yield scrapy.Request(url, self.parse, errback=self.fails, headers=headers, meta=dict(meta, asked=url))

        async def start(self):
            for request in self.start_requests():
                yield request

        async def parse(self, response):
            rules = response.meta.get("robotrules")
            results[response.meta["asked"]] = {
                "status": response.status,
                "rules": None if rules is None else dataclasses.asdict(rules),
            }
            for url in task.pop("downloads", []):
                try:
                    results[url] = {"status": (await download(self.crawler.engine, scrapy.Request(url))).status}
                except IgnoreRequest as refusal:
                    results[url] = {"failed": refusal.reason}

        def fails(self, failure):
            value = failure.value
            if task.get("again") and getattr(value, "reason", None) == "store":
                from twisted.internet import reactor

                self.again += 1
                reactor.callLater(0.2, self.ask_again, failure.request)
                return
            response = getattr(value, "response", None)
            reason = getattr(value, "reason", type(value).__name__)
            if response is not None:
                reason = response.status
            results[failure.request.meta["asked"]] = {"failed": reason if isinstance(reason, (str, int)) else "other"}

    process = CrawlerProcess()
    for _ in range(task.get("crawls", 1)):
        crawler = process.create_crawler(Crawl)
        process.crawl(crawler)
    process.start()
    stats = {name: value for name, value in crawler.stats.get_stats().items() if isinstance(value, (int, float, str))}
    json.dump({"urls": results, "stats": stats}, sys.stdout)


if __name__ == "__main__":
    main()

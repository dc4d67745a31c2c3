# read.py FILE: the records of a WARC file as Python's warcio sees them, in the same lines of JSON as read.mjs.
# read.py FILE INDEX: the same for each line of its index (CDXJ), as pywb finds and replays them: a revisit has the
# content of the record that it refers to. Exit status 1 if something cannot be read.
import base64
import io
import json
import os
import sys

from warcio.archiveiterator import ArchiveIterator


def text(octets):
    return base64.b64encode(octets).decode("ascii")


def facts(record):
    return {"type": record.rec_type, "url": record.rec_headers.get_header("WARC-Target-URI")}


def records(path):
    with open(path, "rb") as file:
        iterator = ArchiveIterator(file, no_record_parse=True)
        lines = [dict(facts(record), block=text(record.raw_stream.read())) for record in iterator]
    with open(path, "rb") as file:
        # It raises if a block or a payload does not match its digest.
        for number, record in enumerate(ArchiveIterator(file, check_digests="raise")):
            if record.rec_type == "response":
                lines[number]["status"] = int(record.http_headers.get_statuscode())
                lines[number]["content"] = text(record.content_stream().read())
            else:
                record.content_stream().read()
    return lines


def replayed(path, index):
    from pywb.warcserver.handlers import DefaultResourceHandler
    from pywb.warcserver.index.aggregator import SimpleAggregator
    from pywb.warcserver.index.indexsource import FileIndexSource
    from pywb.warcserver.inputrequest import DirectWSGIInputRequest

    handler = DefaultResourceHandler(SimpleAggregator({"test": FileIndexSource(index)}), os.path.dirname(path) + "/")
    lines = []
    for line in open(index, encoding="utf-8"):
        stamp, entry = line.split(" ", 2)[1:]
        url = json.loads(entry)["url"]
        headers, stream, errors = handler({"url": url, "closest": stamp, "_input_req": DirectWSGIInputRequest({"REQUEST_METHOD": "GET"})})
        if stream is None:
            raise SystemExit(f"{url}: pywb does not find it: {errors}")
        record = next(iter(ArchiveIterator(io.BytesIO(b"".join(stream)))))
        line = facts(record)
        line["status"] = int(record.http_headers.get_statuscode())
        line["content"] = text(record.content_stream().read())
        lines.append(line)
    return lines


for line in records(sys.argv[1]) if len(sys.argv) == 2 else replayed(sys.argv[1], sys.argv[2]):
    print(json.dumps(line))

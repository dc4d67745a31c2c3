# read.py FILE: the records of a WARC file as Python's warcio sees them, in the same lines of JSON as read.mjs.
# read.py --index INDEX FILE...: a line for each line of the index (CDXJ), as pywb finds and replays it: a revisit has
# the content of the record that it refers to. INDEX is a file, or the program that makes an index of the files: pywb,
# cdxj-indexer or wacz (wacz create).
# read.py --revisits FILE...: a line for each file with its bytes and the number of its records by type, and a line for
# each revisit record with the types of the records that WARC-Refers-To-Target-URI and WARC-Refers-To-Date name.
# Exit status 1 if something cannot be read, or if a revisit does not lead to one response with its payload digest.
import argparse
import base64
import collections
import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

from warcio.archiveiterator import ArchiveIterator


def text(bytes):
    return base64.b64encode(bytes).decode("ascii")


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


def made_index(program, paths, folder):
    index = os.path.join(folder, "index.cdxj")
    here = os.path.dirname(sys.executable)

    def run(name, *arguments):
        made = subprocess.run([os.path.join(here, name), *arguments], capture_output=True, text=True)
        if made.returncode != 0:
            raise SystemExit(f"{name} fails: {made.stderr}")

    if program == "pywb":
        run("cdx-indexer", "-j", "-s", "-o", index, *paths)
    elif program == "cdxj-indexer":
        run("cdxj-indexer", "-s", "-o", index, *paths)
    else:
        archive = os.path.join(folder, "archive.wacz")
        run("wacz", "create", "-o", archive, *paths)
        with zipfile.ZipFile(archive) as opened:
            for name in ("indexes/index.cdx.gz", "indexes/index.cdx"):
                if name in opened.namelist():
                    bytes = opened.read(name)
                    with open(index, "wb") as file:
                        file.write(gzip.decompress(bytes) if name.endswith(".gz") else bytes)
    return index


def replayed(paths, index):
    from pywb.warcserver.handlers import DefaultResourceHandler
    from pywb.warcserver.index.aggregator import SimpleAggregator
    from pywb.warcserver.index.indexsource import FileIndexSource
    from pywb.warcserver.inputrequest import DirectWSGIInputRequest

    folder = tempfile.mkdtemp()
    try:
        if index in ("pywb", "cdxj-indexer", "wacz"):
            index = made_index(index, paths, folder)
        handler = DefaultResourceHandler(SimpleAggregator({"test": FileIndexSource(index)}), os.path.dirname(paths[0]) + "/")
        lines = []
        for line in open(index, encoding="utf-8"):
            stamp, entry = line.split(" ", 2)[1:]
            entry = json.loads(entry)
            # The filter asks for this capture, also if there is another one in the same second.
            headers, stream, errors = handler({
                "url": entry["url"], "closest": stamp,
                "filter": [f"=offset:{entry['offset']}", f"=filename:{entry['filename']}"],
                "_input_req": DirectWSGIInputRequest({"REQUEST_METHOD": "GET"})})
            found = {"url": entry["url"], "mime": entry.get("mime", "")}
            lines.append(found)
            if stream is None:
                found["error"] = str(errors)
                continue
            record = next(iter(ArchiveIterator(io.BytesIO(b"".join(stream)))))
            found["status"] = int(record.http_headers.get_statuscode())
            found["date"] = record.rec_headers.get_header("WARC-Date")
            found["content"] = text(record.content_stream().read())
        return lines
    finally:
        shutil.rmtree(folder)


def revisits(paths):
    lines, found = [], []
    there = collections.defaultdict(list)  # by URL and date
    for path in paths:
        count = collections.Counter()
        with open(path, "rb") as file:
            for record in ArchiveIterator(file, no_record_parse=True):
                get = record.rec_headers.get_header
                count[record.rec_type] += 1
                if record.rec_type in ("response", "revisit"):
                    place = (get("WARC-Target-URI"), get("WARC-Date"))
                    there[place].append((record.rec_type, get("WARC-Payload-Digest"), get("WARC-Truncated")))
                if record.rec_type == "revisit":
                    found.append({"url": place[0], "date": place[1], "profile": get("WARC-Profile").rsplit("/", 1)[1],
                                  "refers_to": get("WARC-Refers-To-Target-URI"), "of": get("WARC-Refers-To-Date"),
                                  "digest": get("WARC-Payload-Digest")})
        lines.append({"file": os.path.basename(path), "bytes": os.path.getsize(path), **count})
    for line in found:
        url, date = line["refers_to"], line["of"]
        # Without a date (a robots.txt, or a page of an older version), an earlier response of the URL is meant.
        named = there[(url, date)] if date else [one for place, all in there.items() for one in all
                                                 if place[0] == url and place[1] < line["date"]]
        line["leads_to"] = [type for type, _, _ in named]
        sound = [type for type, digest, cut in named if line["digest"] in (None, digest) and not cut]
        line["sound"] = sound == ["response"] if date else "response" in sound
    return lines + found


parser = argparse.ArgumentParser()
parser.add_argument("files", nargs="+")
parser.add_argument("--index")
parser.add_argument("--revisits", action="store_true")
options = parser.parse_args()
if options.revisits:
    made = revisits(options.files)
elif options.index:
    made = replayed(options.files, options.index)
else:
    made = records(options.files[0])
for line in made:
    print(json.dumps(line))
if any(line.get("sound") is False for line in made):
    raise SystemExit("a revisit record does not lead to a response record with its payload")

// read.mjs FILE: the records of a WARC file as warcio sees them, a line of JSON each: type, url, the block's bytes
// (base64), and of HTTP responses the status and the decoded body (base64). Exit status 1 where it can't be read.
import { createReadStream } from "node:fs";
import { WARCParser } from "warcio";

const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const file = process.argv[2];
const records = [];
for await (const record of new WARCParser(createReadStream(file), { parseHttp: false })) {
  records.push({ type: record.warcType, url: record.warcTargetURI ?? null, block: base64(await record.readFully(false)) });
}
let number = 0;
for await (const record of new WARCParser(createReadStream(file))) {
  const line = records[number++];
  if (record.warcType === "response") {
    const info = record.getResponseInfo();
    line.status = Number(info.status);
    line.content = base64(await record.readFully(true));
  } else {
    await record.skipFully();
  }
}
if (number !== records.length) throw new Error(`${number} records at the second reading, ${records.length} at the first`);
for (const line of records) console.log(JSON.stringify(line));

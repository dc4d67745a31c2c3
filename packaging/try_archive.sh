#!/bin/bash
# try_archive.sh FILE [NEEDED]: installs an npm archive (.tgz) or a wheel (.whl) into an empty folder without a registry,
# and uses it there. The archive of robotrules-robots-parser takes the place of robots-parser, and needs that of robotrules.
# A wheel needs cffi, which is taken from the Python that runs pip (PYTHON, default: python3).
set -euo pipefail
archive=$(realpath "$1")
needed=${2:+$(realpath "$2")}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

case $archive in
  *-robots-parser-*.tgz)
    mkdir user
    echo '{"name": "user", "version": "1.0.0", "dependencies": {"robots-parser": "^3.0.1"}}' > user/package.json
    echo 'module.exports = require("robots-parser");' > user/index.js
    cat > package.json <<END
{"name": "project", "private": true, "dependencies": {"user": "file:user", "robotrules": "file:$needed"},
 "overrides": {"robots-parser": "file:$archive", "robotrules": "\$robotrules"}}
END
    npm install --silent --offline --no-audit --no-fund --install-links --cache "$scratch/cache"
    cat > project.cjs <<'END'
const robots = require("user")("https://e.example/robots.txt", "User-agent: *\nDisallow: /private/\n");
require("node:assert").equal(robots.isAllowed("https://e.example/private/x"), false);
END
    node project.cjs
    ;;
  *.tgz)
    echo '{"name": "user", "private": true}' > package.json
    npm install --silent --offline --no-audit --no-fund --cache "$scratch/cache" "$archive"
    cat > user.mjs <<'END'
import assert from "node:assert";
import { createRequire } from "node:module";
import { Rules } from "robotrules";

const robots = "User-agent: *\nDisallow: /private/\n";
for (const { Rules: AnyRules } of [{ Rules }, createRequire(import.meta.url)("robotrules")]) {
  const rules = AnyRules.compile(robots, "FooBot");
  assert.equal(rules.check("/open").allowed, true);
  assert.equal(rules.check("/private/x").allowed, false);
}
END
    node user.mjs
    ;;
  *.whl)
    "${PYTHON:-python3}" -m venv --system-site-packages venv
    cat > user.py <<'END'
import sys

import robotrules

assert robotrules.__file__.startswith(sys.prefix), robotrules.__file__
rules = robotrules.Rules.compile("User-agent: *\nDisallow: /private/\n", "FooBot")
assert rules.check("/open").allowed
assert not rules.check("/private/x").allowed
END
    venv/bin/pip install --quiet --no-index --disable-pip-version-check "$archive"
    venv/bin/python user.py
    ;;
  *) echo "try_archive.sh: $archive is neither a .tgz nor a .whl" >&2; exit 2 ;;
esac
echo "$(basename "$archive"), installed offline into an empty folder and used"

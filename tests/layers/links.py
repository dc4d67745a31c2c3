#!/usr/bin/env python3
"""Follows the relative links of Markdown pages.

links.py ROOT             each link of each page below ROOT leads to a file or folder, and each anchor to a heading
links.py ROOT INSTALLED   the links of the pages in the folder INSTALLED that lead nowhere lead to what docs/packaging.md
                          names, and to all of it
"""
import os
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
SKIPPED = {"build", ".git", "node_modules", "corpus", "found"}


def pages_below(folder):
    for path, folders, files in os.walk(folder):
        if "CMakeCache.txt" in files or "pyvenv.cfg" in files:  # a build folder has installed pages
            folders[:] = []
            continue
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.join(path, name)


def lines_of(page):
    """Yields the lines outside of code blocks, with their numbers."""
    inside = False
    with open(page, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            if line.lstrip().startswith("```"):
                inside = not inside
            elif not inside:
                yield number, line


def anchors_of(page):
    """Returns the anchors of the headings, as GitHub makes them."""
    anchors = set()
    for _, line in lines_of(page):
        heading = re.match(r"#+ +(.*)", line)
        if heading is None:
            continue
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
        base = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        anchor, count = base, 0
        while anchor in anchors:
            count += 1
            anchor = f"{base}-{count}"
        anchors.add(anchor)
    return anchors


def links_of(page):
    """Yields the number of the line, the path and the anchor of each relative link."""
    text = "".join(line if line else "\n" for _, line in lines_of(page))
    numbers = [number for number, _ in lines_of(page)]
    for found in LINK.finditer(re.sub(r"`[^`]*`", lambda code: re.sub(r"[^\n]", "x", code[0]), text)):
        if not re.match(r"[a-z]+:", found[1]):
            path, _, anchor = found[1].partition("#")
            yield numbers[text.count("\n", 0, found.start())], path, anchor


def check_links(root):
    links, faults = 0, []
    for page in pages_below(root):
        for number, path, anchor in links_of(page):
            links += 1
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(target):
                faults.append(f"{page}:{number}: there is no {path}")
            elif anchor and target.endswith(".md") and anchor not in anchors_of(target):
                faults.append(f"{page}:{number}: {os.path.relpath(target, root)} has no heading #{anchor}")
    return links, faults


def check_installed(root, installed):
    links, dead = 0, set()
    for page in pages_below(installed):
        for _, path, _ in links_of(page):
            links += 1
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(target):
                dead.add(os.path.relpath(target, installed).split(os.sep)[0])
    with open(os.path.join(root, "docs/packaging.md"), encoding="utf-8") as page:
        sentence = re.search(r"only the sources have:([^.]*(?:\.[a-z]+[^.]*)*)\.\n", page.read())
    named = set(re.findall(r"[\w.]*\w", sentence[1])) - {"and"} if sentence else set()
    faults = [f"docs/packaging.md does not name {name}, which installed pages refer to" for name in sorted(dead - named)]
    faults += [f"docs/packaging.md names {name}, which no installed page misses" for name in sorted(named - dead)]
    return links, faults


links, faults = check_links(sys.argv[1]) if len(sys.argv) == 2 else check_installed(sys.argv[1], sys.argv[2])
print("\n".join(faults) if faults else f"{links} links")
sys.exit(1 if faults or links == 0 else 0)

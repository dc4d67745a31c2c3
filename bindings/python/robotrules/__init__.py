"""Reads robots.txt files, answers whether a robot may fetch a URL, and says why (RFC 9309).

>>> from robotrules import Rules
>>> rules = Rules.compile("User-agent: *\\nDisallow: /private/\\n", "FooBot")
>>> rules.allowed("https://example.org/page")
True
>>> rules.explain("https://example.org/private/map")
'disallowed by "Disallow: /private/" in line 2, of the group for every robot (*), line 1'

Rules are the compiled rules of one file for one robot. RobotsTxt is a file as a document. RobotRules keeps the rules of
many sites in a store. A Store also has the gate, which says when a robot may send its next request to a site.

Texts are str or bytes. Exceptions are for wrong use and for stores that fail (RobotRulesError), never for what a
robots.txt contains.
"""
from ._compare import ChangedSetting, Crawler, Difference, PathAnswer, PathChange, RobotChange, crawlers, diff
from ._core import DIALECTS, robot_name, robots_url, version as _version
from ._database import RobotRules, SiteAnswer, Visits
from ._errors import RobotRulesError
from ._lint import Edit, Fetched, Finding, Fixed, LintCode, fix, lint, lint_codes
from ._robots_fetch import RobotsFetch
from ._robots_txt import Directive, GroupLines, RobotsTxt, Sitemap
from ._rules import Group, RequestRate, Rule, Rules, Usage, Verdict
from ._store import GateState, Reservation, Store, gate_key, open_store

__version__ = _version()

__all__ = [
    "ChangedSetting",
    "Crawler",
    "DIALECTS",
    "Difference",
    "Directive",
    "Edit",
    "Fetched",
    "Finding",
    "Fixed",
    "GateState",
    "Group",
    "GroupLines",
    "LintCode",
    "PathAnswer",
    "PathChange",
    "RequestRate",
    "Reservation",
    "RobotChange",
    "RobotRules",
    "RobotRulesError",
    "RobotsFetch",
    "RobotsTxt",
    "Rule",
    "Rules",
    "SiteAnswer",
    "Sitemap",
    "Store",
    "Usage",
    "Verdict",
    "Visits",
    "crawlers",
    "diff",
    "fix",
    "gate_key",
    "lint",
    "lint_codes",
    "open_store",
    "robot_name",
    "robots_url",
]

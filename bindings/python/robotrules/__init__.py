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
from ._core import DIALECTS, robot_name, robots_url, version as _version
from ._database import RobotRules, SiteAnswer, Visits
from ._errors import RobotRulesError
from ._robots_txt import Directive, GroupLines, RobotsTxt, Sitemap
from ._rules import Group, RequestRate, Rule, Rules, Usage, Verdict
from ._store import GateState, Reservation, Store, gate_key, open_store

__version__ = _version()

__all__ = [
    "DIALECTS",
    "Directive",
    "GateState",
    "Group",
    "GroupLines",
    "RequestRate",
    "Reservation",
    "RobotRules",
    "RobotRulesError",
    "RobotsTxt",
    "Rule",
    "Rules",
    "SiteAnswer",
    "Sitemap",
    "Store",
    "Usage",
    "Verdict",
    "Visits",
    "gate_key",
    "open_store",
    "robot_name",
    "robots_url",
]

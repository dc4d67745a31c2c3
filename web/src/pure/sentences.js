// Sentences for people.

export const DIALECTS = [
  ["rfc9309", "RFC 9309", "the standard of 2022"],
  ["google", "Google", "as Google's open-source parser"],
  ["www-robotrules", "WWW::RobotRules", "the Perl library"],
  ["robotstxt-rb", "robotstxt-parser", "the Ruby library"],
  ["original-1994", "Original, 1994", "the first text, without Allow"],
  ["draft-1996", "Draft, 1996", "the Internet-Draft that never became a standard"],
];

/** Returns the name of a dialect for people. */
export function dialectName(id) {
  return DIALECTS.find(([known]) => known === id)?.[1] ?? id;
}

/** Returns a reason as a sentence: with a capital, and without the mark at the end. */
export function sentence(reason) {
  const text = reason.trim();
  if (text === "") return "";
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Returns what a screen reader says about a verdict. */
export function spoken({ agent, url, verdict }) {
  const place = verdict.line > 0 ? `, line ${verdict.line}: ${verdict.rule.text}` : "";
  return `${agent}, ${url}: ${verdict.access}${place}.`;
}

export const KIND_TITLES = {
  "search": "Search engines",
  "ai-search": "AI search and answers",
  "training": "AI training",
  "policy-token": "Names that only say how pages may be used",
  "user-triggered": "Fetches that a person asks for",
  "archive": "Web archives",
  "seo": "Search marketing tools",
  "preview": "Link previews",
  "ads": "Advertising",
  "other": "Other products and research",
};

export const REACH = {
  everywhere: "all pages",
  partly: "some pages",
  nowhere: "no page",
};

const PREFERENCE = { allowed: "yes", disallowed: "no", unknown: "not stated" };

/** Returns what the preference lines say about a page as rows: who said it, about what, and the answer. */
export function usageRows({ contentSignal, contentUsage }) {
  return [
    ["Content-Signal", "search", "Show the page in search results", contentSignal.search],
    ["Content-Signal", "ai-input", "Use the page in answers of AI (grounding, retrieval)", contentSignal.aiInput],
    ["Content-Signal", "ai-train", "Train or tune AI models with the page", contentSignal.aiTrain],
    ["Content-Usage", "search", "Show the page in search results", contentUsage.search],
    ["Content-Usage", "ai-use", "Use the page with AI systems", contentUsage.aiUse],
    ["Content-Usage", "train-ai", "Train AI models with the page", contentUsage.trainAi],
  ].map(([line, name, means, access]) => ({ line, name, means, access, answer: PREFERENCE[access] }));
}

#include "corpus.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

namespace robotrules::bench {
namespace {

namespace fs = std::filesystem;

fs::path folder(const char* variable, const char* fallback) {
  if (const char* given = std::getenv(variable)) return given;
  return fs::path(ROBOTRULES_SOURCE_DIR).parent_path() / "shared" / fallback;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// host, agent, url, google, google_line and more, with tabs between; the first line is the head.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const auto tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

Corpus stored_corpus(const fs::path& files, const fs::path& table) {
  Corpus corpus;
  for (const auto& entry : fs::directory_iterator(files)) {
    if (entry.is_regular_file()) corpus.files.push_back({entry.path().filename().string(), bytes_of(entry.path()), {}});
  }
  std::sort(corpus.files.begin(), corpus.files.end(), [](const File& a, const File& b) { return a.host < b.host; });
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < corpus.files.size(); ++i) index[corpus.files[i].host] = i;

  std::ifstream stream(table);
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    const auto fields = fields_of(line);
    if (fields.size() < 5) continue;
    const auto found = index.find(fields[0]);
    if (found == index.end()) continue;
    Question question{found->second, std::string(fields[1]), std::string(fields[2])};
    if (fields[3] == "allow") question.expected = Expected::allowed;
    if (fields[3] == "deny") question.expected = Expected::disallowed;
    std::from_chars(fields[4].data(), fields[4].data() + fields[4].size(), question.line);
    corpus.questions.push_back(std::move(question));
  }
  corpus.origin = std::to_string(corpus.files.size()) + " stored files";
  return corpus;
}

Corpus load() {
  const fs::path files = folder("ROBOTRULES_CORPUS", "corpus");
  const fs::path table = folder("ROBOTRULES_CONFORMANCE", "conformance") / "corpus.tsv";
  Corpus corpus;
  if (fs::is_directory(files) && fs::is_regular_file(table)) corpus = stored_corpus(files, table);
  if (corpus.files.empty() || corpus.questions.empty()) corpus = generated_corpus();
  std::stable_sort(corpus.questions.begin(), corpus.questions.end(),
                   [](const Question& a, const Question& b) { return a.file < b.file; });
  for (auto& file : corpus.files) {
    corpus.bytes += file.text.size();
    file.url = "https://" + file.host + "/robots.txt";
  }
  return corpus;
}

bool same(const Verdict& a, const Verdict& b) {
  return a.access() == b.access() && a.line() == b.line() && a.why() == b.why();
}

bool as_recorded(const Verdict& verdict, const Question& question) {
  if (question.expected == Expected::unknown) return true;
  return verdict.allowed() == (question.expected == Expected::allowed) && verdict.line() == question.line;
}

// Returns the first peer that answers otherwise, or null.
const Peer* other_answer(const Verdict& verdict, const Question& question) {
  for (const Peer& peer : peers()) {
    const Answer answer = peer.ask(question);
    if (answer.allowed != verdict.allowed() || answer.line != verdict.line()) return &peer;
  }
  return nullptr;
}

}  // namespace

std::vector<Peer>& peers() {
  static std::vector<Peer> all;
  return all;
}

const Corpus& corpus() {
  static const Corpus loaded = load();
  return loaded;
}

const std::vector<Site>& sites() {
  static const std::vector<Site> all = [] {
    std::vector<const Question*> sorted;
    for (const auto& question : corpus().questions) sorted.push_back(&question);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Question* a, const Question* b) {
      return std::tie(a->file, a->agent) < std::tie(b->file, b->agent);
    });
    std::vector<Site> made;
    for (const Question* question : sorted) {
      if (made.empty() || made.back().file != question->file || made.back().agent != question->agent) {
        made.push_back({question->file, question->agent, {}});
      }
      made.back().urls.push_back(question->url);
    }
    return made;
  }();
  return all;
}

std::size_t wrong_answers() {
  std::size_t wrong = 0;
  std::size_t parsed = static_cast<std::size_t>(-1);
  std::vector<RobotsTxt> documents(Dialect::presets().size());
  for (const auto& question : corpus().questions) {
    const auto& file = corpus().files[question.file];
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const Dialect& dialect = Dialect::presets()[i];
      if (parsed != question.file) documents[i] = RobotsTxt::parse(file.text, dialect, file.url);
      // The Rules outlive the verdicts that look into them.
      const Rules compiled = Rules::compile(file.text, question.agent, dialect, file.url);
      const Rules by_document = documents[i].rules_for(question.agent);
      const Verdict verdict = compiled.check(question.url);
      const bool is_google = dialect.name == "google";
      const bool recorded = !is_google || as_recorded(verdict, question);
      const Peer* other = is_google ? other_answer(verdict, question) : nullptr;
      if (recorded && other == nullptr && same(verdict, by_document.check(question.url))) continue;
      if (++wrong > 5) continue;
      if (other != nullptr) std::fprintf(stderr, "%s answers otherwise: ", other->name.c_str());
      std::fprintf(stderr, "wrong: %s, %s %s %s: answered %s line %u; recorded for google line %u\n",
                   std::string(dialect.name).c_str(), file.host.c_str(), question.agent.c_str(), question.url.c_str(),
                   std::string(to_string(verdict.access())).c_str(), verdict.line(), question.line);
    }
    parsed = question.file;
  }
  return wrong;
}

}  // namespace robotrules::bench

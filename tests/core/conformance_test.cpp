// Runs the tables of tests/conformance, and larger sets of other implementations' answers if the machine has them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <robotrules/robots_txt.hpp>

#include "core/engine_answer.hpp"
#include "core/random_file.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr std::string_view robots_url = "http://foo.bar/robots.txt";
constexpr std::string_view heading = "# name\tdialect\tagent\turl\taccess\tline\trobots\tsource\n";

struct Case {
  std::string name, dialect, agent, url, access, line, robots, source;
  std::string place;  // file and line of the row
};

std::string escaped(std::string_view bytes) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\\': out += "\\\\"; break;
      default:
        if (byte < 0x20 || byte >= 0x7F) {
          out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        } else {
          out += c;
        }
    }
  }
  return out;
}

// Returns the byte that the character or escape at `at` stands for, and moves `at` behind it.
char next_byte(std::string_view text, std::size_t& at) {
  const char c = text.at(at++);
  if (c != '\\') return c;
  switch (const char kind = text.at(at++)) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '\\': return '\\';
    case 'x': at += 2; return static_cast<char>(std::stoi(std::string(text.substr(at - 2, 2)), nullptr, 16));
    default: ADD_FAILURE() << "unknown escape \\" << kind; return kind;
  }
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t times = 1;
    if (text.substr(at).starts_with("\\{")) {
      const std::size_t close = text.find('}', at);
      times = std::stoul(std::string(text.substr(at + 2, close - at - 2)));
      at = close + 1;
    }
    out.append(times, next_byte(text, at));
  }
  return out;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::size_t from = 0;
  while (true) {
    const std::size_t tab = line.find('\t', from);
    out.push_back(line.substr(from, tab == std::string::npos ? tab : tab - from));
    if (tab == std::string::npos) return out;
    from = tab + 1;
  }
}

std::string written(const Case& c) {
  return c.name + '\t' + c.dialect + '\t' + escaped(c.agent) + '\t' + escaped(c.url) + '\t' + c.access + '\t' + c.line +
         '\t' + escaped(c.robots) + '\t' + c.source + '\n';
}

std::filesystem::path folder() { return source_folder() / "tests" / "conformance"; }

std::vector<Case> cases_of(const std::string& table) {
  const std::string file = table + ".tsv";
  std::vector<Case> cases;
  std::ifstream stream(folder() / file, std::ios::binary);
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    const std::string place = file + ':' + std::to_string(number);
    const std::vector<std::string> f = fields(line);
    if (f.size() != 8) {
      ADD_FAILURE() << place << ": " << f.size() << " fields instead of 8";
      continue;
    }
    cases.push_back({f[0], f[1], unescaped(f[2]), unescaped(f[3]), f[4], f[5], unescaped(f[6]), f[7], place});
  }
  return cases;
}

// The beginning of every message about a case.
std::string title(const Case& c) { return c.place + ": " + c.name + " (" + c.dialect + ", " + c.source + ")"; }

void run(const Case& c) {
  const Dialect* dialect = Dialect::find(c.dialect);
  ASSERT_NE(dialect, nullptr) << title(c);
  const ExactBlock robots(c.robots);
  const Rules compiled = Rules::compile(robots.view(), c.agent, *dialect, robots_url);
  const Rules parsed = RobotsTxt::parse(robots.view(), *dialect, robots_url).rules_for(c.agent);
  const bool short_enough = c.robots.size() * c.url.size() < 100'000'000;  // the oracle's time grows with this product
  const oracle::Answer naive =
      short_enough ? oracle::ask(c.robots, c.agent, c.url, *dialect, robots_url) : oracle::Answer{};
  for (const Verdict& verdict : {compiled.check(c.url), parsed.check(c.url)}) {
    EXPECT_EQ(to_string(verdict.access()), c.access) << title(c) << '\n' << written(c);
    if (c.line != "-") {
      EXPECT_EQ(std::to_string(verdict.line()), c.line) << title(c) << '\n' << written(c);
    }
    if (short_enough) {
      EXPECT_EQ(to_string(naive), to_string(answer_of(verdict))) << title(c) << '\n' << written(c);
    }
  }
}

// A table and the number of cases that it has at least: lost rows are a failure.
struct Table {
  const char* name;
  std::size_t least;
};
void PrintTo(const Table& table, std::ostream* out) { *out << table.name; }

constexpr Table tables[] = {
    {"bugs", 332},    {"differences", 366}, {"generated", 400}, {"handmade", 281},
    {"manuals", 186}, {"references", 52},   {"tricky", 310},
};

class Conformance : public testing::TestWithParam<Table> {};

INSTANTIATE_TEST_SUITE_P(Tables, Conformance, testing::ValuesIn(tables),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Conformance, VerdictsAreAsWritten) {
  const std::vector<Case> cases = cases_of(GetParam().name);
  EXPECT_GE(cases.size(), GetParam().least);
  for (const Case& c : cases) run(c);
}

TEST_P(Conformance, EveryRowIsUniqueAndSaysItsSource) {
  std::set<std::pair<std::string, std::string>> names;
  for (const Case& c : cases_of(GetParam().name)) {
    EXPECT_TRUE(names.emplace(c.name, c.dialect).second) << title(c) << ": this name is already used";
    EXPECT_FALSE(c.name.empty()) << title(c);
    EXPECT_FALSE(c.source.empty()) << title(c);
    EXPECT_TRUE(c.access == "allowed" || c.access == "disallowed") << title(c) << ": " << c.access;
    EXPECT_TRUE(c.line == "-" || c.line.find_first_not_of("0123456789") == std::string::npos) << title(c);
  }
}

// A difference between readers is a question with an answer for every preset.
TEST(ConformanceTables, EveryDifferenceHasAnAnswerForEveryPreset) {
  std::map<std::string, std::set<std::string>> dialects;
  for (const Case& c : cases_of("differences")) dialects[c.name].insert(c.dialect);
  EXPECT_EQ(dialects.size(), 61U);
  for (const auto& [name, answered] : dialects) EXPECT_EQ(answered.size(), Dialect::presets().size()) << name;
}

TEST(ConformanceTables, EveryFileOfTheFolderIsRun) {
  std::set<std::string> run, stored;
  for (const Table& table : tables) run.insert(table.name);
  for (const auto& path : files_under(folder())) {
    const bool is_question = path.parent_path() == folder();  // answers/ has a table of another kind
    if (is_question && path.extension() == ".tsv") stored.insert(path.stem().string());
  }
  EXPECT_EQ(run, stored);
}

// --- the random files ----------------------------------------------------------------------------------------------

// In 300 of the 400 cases a rule decides.
std::string generated_cases() {
  constexpr std::uint32_t seed = 20'26;
  std::string out(heading);
  RandomFile random(seed);
  std::size_t deciding = 0, silent = 0;
  while (deciding + silent < 400) {
    const Dialect& dialect = Dialect::presets()[random.below(2)];
    const std::string robots = random.file();
    for (int i = 0; i < 8 && deciding + silent < 400; ++i) {
      const std::string agent = random.agent(), url = random.url();
      const oracle::Answer answer = oracle::ask(robots, agent, url, dialect);
      std::size_t& kind = answer.why == Why::rule ? deciding : silent;
      if (kind == (answer.why == Why::rule ? 300U : 100U)) continue;
      ++kind;
      out += written({"random-" + std::to_string(deciding + silent), std::string(dialect.name), agent, url,
                      std::string(to_string(answer.access)), std::to_string(answer.line), robots,
                      "random file, seed " + std::to_string(seed), ""});
      break;
    }
  }
  return out;
}

// No answer in the stored file is changed by hand.
TEST(ConformanceTables, GeneratedCasesAreTheAnswersOfTheOracle) {
  const std::filesystem::path path = folder() / "generated.tsv";
  const std::string made = generated_cases();
  if (std::getenv("ROBOTRULES_WRITE_CONFORMANCE") != nullptr) std::ofstream(path, std::ios::binary) << made;
  EXPECT_TRUE(bytes_of(path) == made) << path << " differs from the oracle's answers: see README.md beside it";
}

TEST(ConformanceTables, EscapesAreReversible) {
  std::string all;
  for (unsigned c = 0; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_EQ(unescaped(escaped(all)), all);
}

TEST(ConformanceTables, RepeatedBytesAreOneEscape) { EXPECT_EQ(unescaped(R"(x\{3}ay\{2}\x0A\{1}\\)"), "xaaay\n\n\\"); }

// --- answers of other implementations ------------------------------------------------------------------------------

std::string from_base64(std::string_view text) {
  static constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    const std::size_t value = alphabet.find(c);
    if (value == std::string_view::npos) break;
    bits = bits << 6 | static_cast<unsigned>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 255);
    }
  }
  return out;
}

std::string_view as_written_there(Access access) { return access == Access::allowed ? "allow" : "deny"; }

// A recorded verdict: a member of the files, and the preset that must say the same. Only Google's has lines.
struct Recorded {
  const char* member;
  const char* dialect;
  std::size_t column;  // of corpus.tsv
};
void PrintTo(const Recorded& recorded, std::ostream* out) { *out << recorded.dialect; }

class ExternalConformance : public testing::TestWithParam<Recorded> {
 protected:
  const Dialect& dialect() const { return *Dialect::find(GetParam().dialect); }
  bool agrees(Access access, std::uint32_t line, std::string_view expected, const std::string& expected_line) const {
    return as_written_there(access) == expected &&
           (GetParam().dialect != std::string_view("google") || std::to_string(line) == expected_line);
  }
};

INSTANTIATE_TEST_SUITE_P(Dialects, ExternalConformance,
                         testing::Values(Recorded{"google", "google", 3},
                                         Recorded{"www_robotrules", "www-robotrules", 5},
                                         Recorded{"robotstxt_rb", "robotstxt-rb", 6}),
                         [](const auto& info) { return std::string(info.param.member); });

TEST_P(ExternalConformance, AdversarialFiles) {
  const auto path = optional_folder("ROBOTRULES_CONFORMANCE", "conformance") / "adversarial.ndjson";
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << "no " << path << ": set ROBOTRULES_CONFORMANCE to the folder with the recorded answers to run this";
  }
  constexpr std::string_view site = "http://example.com/robots.txt";
  std::ifstream stream(path);
  std::string line;
  std::size_t asked = 0, wrong = 0;
  while (std::getline(stream, line)) {
    const auto entry = nlohmann::json::parse(line);
    if (entry.at(GetParam().member).is_null()) continue;
    const std::string robots = from_base64(entry.at("robots_b64").get<std::string>());
    const auto agent = entry.at("agent").get<std::string>();
    const auto url = entry.at("url").get<std::string>();
    const auto expected = entry.at(GetParam().member).get<std::string>();
    const std::string expected_line = std::to_string(entry.at("google_line").get<std::uint32_t>());
    const Rules rules = Rules::compile(ExactBlock(robots).view(), agent, dialect(), site);
    const Verdict verdict = rules.check(url);
    const oracle::Answer naive = oracle::ask(robots, agent, url, dialect(), site);
    ++asked;
    if (agrees(verdict.access(), verdict.line(), expected, expected_line) &&
        agrees(naive.access, naive.line, expected, expected_line)) {
      continue;
    }
    if (++wrong <= 5) {
      ADD_FAILURE() << line << "\nengine: " << shown(to_string(answer_of(verdict)))
                    << "\noracle: " << shown(to_string(naive));
    }
  }
  EXPECT_GT(asked, 0U);
  EXPECT_EQ(wrong, 0U) << "of " << asked;
}

TEST_P(ExternalConformance, RealFiles) {
  const auto path = optional_folder("ROBOTRULES_CONFORMANCE", "conformance") / "corpus.tsv";
  const auto corpus = optional_folder("ROBOTRULES_CORPUS", "corpus");
  if (!std::filesystem::exists(path) || !std::filesystem::is_directory(corpus)) {
    GTEST_SKIP() << "no " << path << " or no " << corpus
                 << ": set ROBOTRULES_CONFORMANCE and ROBOTRULES_CORPUS to run this";
  }
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  const std::vector<std::string> head = fields(line);
  ASSERT_GT(head.size(), GetParam().column) << line;
  ASSERT_EQ(head[GetParam().column], GetParam().member);
  std::size_t asked = 0, wrong = 0;
  std::string host, robots;
  std::map<std::string, Rules> by_agent;
  while (std::getline(stream, line)) {
    const std::vector<std::string> f = fields(line);
    ASSERT_EQ(f.size(), head.size());
    if (f[GetParam().column] == "-") continue;
    if (f[0] != host) {
      host = f[0];
      robots = bytes_of(corpus / host);
      by_agent.clear();
    }
    auto found = by_agent.find(f[1]);
    if (found == by_agent.end()) {
      found = by_agent.emplace(f[1], Rules::compile(robots, f[1], dialect(), "https://" + host + "/robots.txt")).first;
    }
    const Verdict verdict = found->second.check(f[2]);
    ++asked;
    if (agrees(verdict.access(), verdict.line(), f[GetParam().column], f[4])) continue;
    if (++wrong <= 5) ADD_FAILURE() << line << "\nengine: " << shown(to_string(answer_of(verdict)));
  }
  EXPECT_GT(asked, 0U);
  EXPECT_EQ(wrong, 0U) << "of " << asked;
}

// Real files through the other presets: the engine's two ways and the oracle, for a few agents and the files' own
// paths.
TEST(RealFiles, EngineAndOracleAgreeUnderEveryPreset) {
  const auto corpus = optional_folder("ROBOTRULES_CORPUS", "corpus");
  if (!std::filesystem::is_directory(corpus)) {
    GTEST_SKIP() << "no " << corpus << ": set ROBOTRULES_CORPUS to a folder of robots.txt files to run this";
  }
  const std::size_t largest = std::getenv("ROBOTRULES_SOAK") != nullptr ? 1'000'000 : 1'500;
  std::size_t asked = 0;
  for (const auto& path : files_under(corpus)) {
    const std::string robots = bytes_of(path);
    if (robots.size() > largest) continue;
    for (const Dialect& dialect : Dialect::presets()) {
      const RobotsTxt document = RobotsTxt::parse(robots, dialect, robots_url);
      const oracle::File file = oracle::read(robots, dialect);
      for (const char* agent : {"Googlebot", "FooBot", "ia_archiver"}) {
        const Rules rules = Rules::compile(robots, agent, dialect, robots_url);
        const Rules parsed = document.rules_for(agent);
        for (std::size_t i = 0; i < document.size(); i += 3) {
          const std::string url = "http://foo.bar" + std::string(document.directive(i).value) + (i % 2 == 0 ? "" : "x");
          const oracle::Answer expected = oracle::ask(file, agent, url, dialect, robots_url);
          ++asked;
          ASSERT_EQ(to_string(answer_of(rules.check(url))), to_string(expected))
              << path << ' ' << dialect.name << ' ' << url;
          ASSERT_EQ(to_string(answer_of(parsed.check(url))), to_string(expected))
              << path << ' ' << dialect.name << ' ' << url;
        }
      }
    }
  }
  EXPECT_GT(asked, 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE

#include "cli/exposition.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <regex>
#include <set>

#include "cli/command.hpp"

namespace robotrules::test {
namespace {

class Reader {
 public:
  void read(const std::string& line) {
    static const std::regex comment(R"(# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+))");
    static const std::regex sample(
        R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{([a-zA-Z_]\w*="([^"\\\n]|\\[\\"n])*",?)*\})? (\S+))re");
    std::smatch parts;
    if (std::regex_match(line, parts, comment)) {
      if (parts[1] == "HELP") return begin(parts[2]);
      if (parts[2] != family_) return fault("TYPE of another family: " + line);
      found_.types[family_] = parts[3];
    } else if (std::regex_match(line, parts, sample)) {
      take(parts[1], parts[2], parts[5]);
    } else {
      fault("not understood: " + line);
    }
  }
  void end_family() {
    if (family_.empty()) return;
    const std::string& type = found_.types[family_];
    if (type.empty()) fault("no TYPE: " + family_);
    if (type == "counter" && !family_.ends_with("_total")) fault("a counter without _total: " + family_);
    if (type == "histogram" && last_bucket_ != count_) fault("+Inf is not the count: " + family_);
  }
  void fault(const std::string& what) {
    if (found_.fault.empty()) found_.fault = what;
  }
  const Exposition& found() const { return found_; }

 private:
  void begin(const std::string& family) {
    end_family();
    family_ = family;
    last_bucket_ = count_ = 0;
    if (!families_.insert(family).second) fault("a family twice: " + family);
  }
  void take(const std::string& name, const std::string& labels, const std::string& number) {
    const bool is_part =
        name == family_ || name == family_ + "_bucket" || name == family_ + "_sum" || name == family_ + "_count";
    if (!is_part) fault("outside of its family: " + name);
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    if (*end != '\0') fault("not a number: " + number);
    if (!found_.values.emplace(name + labels, value).second) fault("a series twice: " + name + labels);
    if (name.ends_with("_bucket") && value < last_bucket_) fault("not cumulative: " + name + labels);
    if (name.ends_with("_bucket")) last_bucket_ = value;
    if (name.ends_with("_count")) count_ = value;
  }

  Exposition found_;
  std::string family_;
  std::set<std::string> families_;
  double last_bucket_ = 0;
  double count_ = 0;
};

}  // namespace

double Exposition::value(const std::string& name) const {
  const auto found = values.find(name);
  return found == values.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

Exposition read_exposition(std::string_view text) {
  Reader reader;
  for (const std::string& line : lines_of(text)) reader.read(line);
  reader.end_family();
  if (text.empty() || text.back() != '\n') reader.fault("the last line has no end");
  return reader.found();
}

}  // namespace robotrules::test

#include <robotrules/message.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <random>

#include "base/ascii.hpp"
#include "base/hex.hpp"

namespace robotrules {
namespace {

class BytesInMemory final : public BodySource {
 public:
  explicit BytesInMemory(std::string bytes) : bytes_(std::move(bytes)) {}
  std::optional<std::uint64_t> size() const override { return bytes_.size(); }
  bool rewind() override {
    at_ = 0;
    return true;
  }
  std::optional<std::size_t> read(char* to, std::size_t room) override {
    const std::size_t count = bytes_.copy(to, room, at_);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

class File final : public BodySource {
 public:
  explicit File(std::string path) : path_(std::move(path)) {}
  std::optional<std::uint64_t> size() const override {
    std::error_code error;
    const auto size = std::filesystem::file_size(path_, error);
    return error ? std::nullopt : std::optional<std::uint64_t>(size);
  }
  bool rewind() override {
    file_.reset(std::fopen(path_.c_str(), "rbe"));
    return file_ != nullptr;
  }
  std::optional<std::size_t> read(char* to, std::size_t room) override {
    if (file_ == nullptr && !rewind()) return std::nullopt;
    const std::size_t count = std::fread(to, 1, room, file_.get());
    if (count == 0 && std::ferror(file_.get()) != 0) return std::nullopt;
    return count;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

class Callback final : public BodySource {
 public:
  Callback(std::function<std::string()> next, std::optional<std::uint64_t> size)
      : next_(std::move(next)), size_(size) {}
  std::optional<std::uint64_t> size() const override { return size_; }
  bool rewind() override { return !begun_; }
  std::optional<std::size_t> read(char* to, std::size_t room) override {
    begun_ = true;
    if (at_ == piece_.size()) {
      piece_ = next_();
      at_ = 0;
    }
    const std::size_t count = piece_.copy(to, room, at_);
    at_ += count;
    return count;
  }

 private:
  std::function<std::string()> next_;
  std::optional<std::uint64_t> size_;
  std::string piece_;
  std::size_t at_ = 0;
  bool begun_ = false;
};

class Chain final : public BodySource {
 public:
  explicit Chain(std::vector<std::shared_ptr<BodySource>> sources) : sources_(std::move(sources)) {}
  std::optional<std::uint64_t> size() const override {
    std::uint64_t sum = 0;
    for (const auto& source : sources_) {
      const auto size = source->size();
      if (!size) return std::nullopt;
      sum += *size;
    }
    return sum;
  }
  bool rewind() override {
    at_ = 0;
    return std::all_of(sources_.begin(), sources_.end(), [](const auto& source) { return source->rewind(); });
  }
  std::optional<std::size_t> read(char* to, std::size_t room) override {
    for (; at_ < sources_.size(); ++at_) {
      const auto count = sources_[at_]->read(to, room);
      if (!count || *count > 0) return count;
    }
    return 0;
  }

 private:
  std::vector<std::shared_ptr<BodySource>> sources_;
  std::size_t at_ = 0;
};

// Returns the name in quotes, as browsers send it (the HTML standard, "multipart/form-data encoding algorithm").
std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"')
      text += "%22";
    else if (c == '\r')
      text += "%0D";
    else if (c == '\n')
      text += "%0A";
    else
      text += c;
  }
  return text + '"';
}

std::string boundary() {
  std::random_device random;
  std::string text = "robotrules-";
  for (int i = 0; i < 4; ++i) {
    std::array<char, 9> digits{};
    std::snprintf(digits.data(), digits.size(), "%08x", random());
    text += digits.data();
  }
  return text;
}

}  // namespace

std::shared_ptr<BodySource> body_of(std::string bytes) { return std::make_shared<BytesInMemory>(std::move(bytes)); }
std::shared_ptr<BodySource> body_of_file(std::string path) { return std::make_shared<File>(std::move(path)); }
std::shared_ptr<BodySource> body_of_callback(std::function<std::string()> next, std::optional<std::uint64_t> size) {
  return std::make_shared<Callback>(std::move(next), size);
}

std::string form_urlencoded(const FormFields& fields) {
  std::string text;
  const auto add = [&](const std::string& part) {
    for (const char c : part) {
      if (base::is_digit(c) || base::is_letter(c) || c == '-' || c == '.' || c == '_' || c == '*')
        text += c;
      else if (c == ' ')
        text += '+';
      else
        base::append_percent(text, c);
    }
  };
  for (const auto& [name, value] : fields) {
    if (!text.empty()) text += '&';
    add(name);
    text += '=';
    add(value);
  }
  return text;
}

MultipartForm multipart_form(std::vector<FormPart> parts) {
  const std::string mark = boundary();
  std::vector<std::shared_ptr<BodySource>> sources;
  for (FormPart& part : parts) {
    std::string head = "--" + mark + "\r\nContent-Disposition: form-data; name=" + quoted_name(part.name);
    if (!part.filename.empty()) head += "; filename=" + quoted_name(part.filename);
    head += "\r\n";
    if (!part.content_type.empty()) head += "Content-Type: " + part.content_type + "\r\n";
    sources.push_back(body_of(head + "\r\n"));
    sources.push_back(std::move(part.body));
    sources.push_back(body_of("\r\n"));
  }
  sources.push_back(body_of("--" + mark + "--\r\n"));
  return {std::make_shared<Chain>(std::move(sources)), "multipart/form-data; boundary=" + mark};
}

}  // namespace robotrules

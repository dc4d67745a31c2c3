// The reader for sitemaps in XML: urlset, sitemapindex, RSS and Atom.
#pragma once

#include <expat.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sitemap/entries.hpp"
#include "sitemap/memory_limit.hpp"

namespace robotrules::agent {

class XmlReader {
 public:
  explicit XmlReader(Entries& entries);
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;

  // Reads UTF-8. Small pieces are kept until there are enough of them, or until flush().
  Result<void> feed(std::string_view bytes);
  Result<void> flush();
  Result<void> finish();
  SitemapKind kind() const noexcept { return kind_; }

 private:
  Result<void> parse(std::string_view bytes, bool last);
  Result<void> give_entries();

  void begin(std::string_view name, const char** attributes);
  void end();
  void text(std::string_view bytes);
  void begin_base(const char* value);
  void begin_root(std::string_view local) noexcept;
  bool begin_entry(std::string_view local, std::string_view prefix);
  void begin_field(std::string_view local, const char** attributes);
  void begin_loc();
  void begin_text(std::string& field, std::size_t limit);
  void end_entry();
  void clear_spare();
  void stop(std::string_view code, std::string_view message);
  // Runs the body of a handler and catches its exceptions: the parser is written in C, so none may pass through it.
  template <class F>
  static void guarded(void* self, F body) noexcept;

  static void on_begin(void* self, const char* name, const char** attributes) noexcept;
  static void on_end(void* self, const char* name) noexcept;
  static void on_text(void* self, const char* bytes, int size) noexcept;
  static void on_entity(void* self, const char*, int, const char*, int, const char*, const char*, const char*,
                        const char*) noexcept;

  Entries& entries_;
  MemoryAccount memory_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser_;
  SitemapKind kind_ = SitemapKind::unknown;
  int depth_ = 0;
  int entry_depth_ = 0;  // depth of the elements that contain an entry: 2 in a urlset, 3 in RSS 2.0
  int field_depth_ = 0;  // depth of the element whose text is being read; 0: none
  bool in_entry_ = false;
  std::string prefix_;  // of the entry's element, with its colon; its fields have the same prefix
  RawEntry entry_;
  bool spare_too_long_ = false;  // `spare_` is only the beginning
  std::string spare_;            // text of the entry's own element, or a permalink, in case the entry has no URL
  struct Base {
    int depth = 0;
    std::shared_ptr<const Url> url;
  };
  std::size_t base_count_ = 0;
  std::vector<Base> bases_;  // of the elements with xml:base around the place that is being read, the outermost first
  std::string* field_ = nullptr;
  std::size_t field_limit_ = 0;
  std::vector<RawEntry> whole_;  // complete entries since the last call of the parser
  std::string pending_;
  std::optional<Error> error_;
  std::exception_ptr thrown_;
  long long fed_ = 0;
};

}  // namespace robotrules::agent

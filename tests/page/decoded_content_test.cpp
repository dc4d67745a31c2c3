// Response::decoded_content(): text in UTF-8, whatever charset it came in.
#include <gtest/gtest.h>

#include <string>

#include <robotrules/message.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

TEST(DecodedContent, IsTextInUtf8AndOtherBodiesAsTheyAre) {
  const struct {
    const char* name;
    std::string type;
    std::string body;
    std::string text;
  } cases[] = {
      {"named", "text/plain; charset=iso-8859-1", "caf\xE9", "caf\u00e9"},
      {"named by a label", "text/plain; charset=latin1", "caf\xE9", "caf\u00e9"},
      {"UTF-8", "text/plain; charset=utf-8", "caf\u00e9", "caf\u00e9"},
      {"guessed UTF-8", "text/plain", "caf\u00e9", "caf\u00e9"},
      {"guessed ISO-8859-1", "text/plain", "caf\xE9", "caf\u00e9"},
      {"HTML's meta", "text/html", "<meta charset=windows-1251>\xEF", "<meta charset=windows-1251>\u043f"},
      {"XML's declaration", "application/xml", "<?xml version='1.0' encoding='iso-8859-1'?>\xE9",
       "<?xml version='1.0' encoding='iso-8859-1'?>\u00e9"},
      {"a byte order mark", "text/plain", "\xFF\xFEh\0i\0"s, "hi"},
      {"JSON in UTF-16", "application/json", "{\0}\0"s, "{}"},
      {"bytes that mean nothing", "text/plain; charset=utf-8", "a\xFFz", "a\uFFFDz"},
      {"an image", "image/png", "\x89PNG\xE9", "\x89PNG\xE9"},
      {"an image with a charset", "image/png; charset=iso-8859-1", "\xE9", "\xE9"},
      {"no type", "", "caf\xE9", "caf\xE9"},
      {"nothing", "text/html", "", ""},
  };
  for (const auto& one : cases) {
    Response page;
    if (!one.type.empty()) page.headers = {{"Content-Type", one.type}};
    page.body = one.body;
    EXPECT_EQ(page.decoded_content(), one.text) << one.name;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE

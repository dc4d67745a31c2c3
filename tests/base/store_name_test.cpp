// The names of stores in messages: no spelling shows a part of a password.
#include "base/store_name.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support/store_spellings.hpp"

namespace robotrules::base {
namespace {

TEST(StoreNames, NoSpellingShowsAPartOfThePassword) {
  for (const std::string& name : test::store_spellings("h:1")) {
    const ShownStore shown = shown_store(name);
    for (const std::string_view part : test::password_parts) {
      EXPECT_EQ(shown.text.find(part), std::string::npos) << name << " as " << shown.text;
      EXPECT_EQ(shown.command.find(part), std::string::npos) << name << " as " << shown.command;
    }
    EXPECT_FALSE(shown.is_file) << name;
    EXPECT_NE(shown.text.find("***"), std::string::npos) << name << " as " << shown.text;
    EXPECT_FALSE(shown.hidden.empty()) << name;
  }
}

struct Case {
  const char* name;
  const char* text;
  const char* command;
};

TEST(StoreNames, KeepTheirOtherParts) {
  const Case cases[] = {
      {"redis://u:secret@host/0", "redis://u:***@host/0", "redis://u@host/0"},
      {"redis://:secret@host", "redis://:***@host", "redis://host"},
      {"redis://u:a:b@c@host/0", "redis://u:***@host/0", "redis://u@host/0"},
      {"redis://u@host:1/0", "redis://u@host:1/0", "redis://u@host:1/0"},
      {"redis+cluster://u:s@[::1]:7000,two/?prefix=a.b", "redis+cluster://u:***@[::1]:7000,two/?prefix=a.b",
       "redis+cluster://u@[::1]:7000,two/?prefix=a.b"},
      {"rediss://host/0?ca=%2Fetc%2Fsecrets%2Fca.pem&first_ever=1",
       "rediss://host/0?ca=%2Fetc%2Fsecrets%2Fca.pem&first_ever=1", "rediss://host/0?ca=%2Fetc%2Fsecrets%2Fca.pem"},
      {"postgresql://bot@db.example/crawl?first_ever=1", "postgresql://bot@db.example/crawl?first_ever=1",
       "postgresql://bot@db.example/crawl"},
      {"postgresql://bot:s@a,b:2/crawl?first_ever=1&schema=x", "postgresql://bot:***@a,b:2/crawl?first_ever=1&schema=x",
       "postgresql://bot@a,b:2/crawl?schema=x"},
      {"postgres://%2Fvar%2Frun/crawl?user=bot&password=s&sslmode=require",
       "postgres://%2Fvar%2Frun/crawl?user=bot&password=***&sslmode=require",
       "postgres://%2Fvar%2Frun/crawl?user=bot&sslmode=require"},
      {"postgresql://h/x?options=-c%20search_path%3Dfoo", "postgresql://h/x?options=-c%20search_path%3Dfoo",
       "postgresql://h/x?options=-c%20search_path%3Dfoo"},
      // libpq accepts a "?" in a password.
      {"postgresql://u:p?ss@h/x", "postgresql://u:***@h/x", "postgresql://u@h/x"},
      // What could be a part of a password is hidden, and then no command can be given.
      {"postgresql://u:p#s/s@h/x", "postgresql://***", ""},
      {"postgresql://u:p@ss:word@h/db", "postgresql://***", ""},
      {"redis://host:1/a:b@c", "redis://***", ""},
      {"redis://host/abc", "redis://host/***", ""},
      {"postgresql://h/x?sslpassword=a&password=b&pass%77ord=c&user=d",
       "postgresql://h/x?sslpassword=***&password=***&***&user=d", ""},
      {"postgresql://h/x?password=a&b=c", "postgresql://h/x?password=***&***", ""},
      {"postgresql://h/x?first_ever=1;password=x", "postgresql://h/x?***", ""},
      {"redis:/u:p@h", "redis:***", ""},
      {"host=h password=p", "***", ""},
  };
  for (const Case& one : cases) {
    const ShownStore shown = shown_store(one.name);
    EXPECT_EQ(shown.text, one.text);
    EXPECT_EQ(shown.command, one.command) << one.name;
    EXPECT_EQ(without_store_password(one.name), one.text);
  }
}

TEST(StoreNames, OfFilesAreAsTheyAre) {
  for (const char* name :
       {"robots.db", "a b.db", "folder/robots.db", "/tmp/x:y@z.db", "./redis:6379", "../host=a", "./a:b@c",
        "sqlite:a:b@c.db", "me@home.db", "redis.db", "postgres/robots.db", "run=1/a.db", "C:robots.db", ""}) {
    const ShownStore shown = shown_store(name);
    EXPECT_TRUE(shown.is_file) << name;
    EXPECT_TRUE(shown.is_clear) << name;
    EXPECT_EQ(shown.text, name);
    EXPECT_EQ(shown.command, name);
    EXPECT_TRUE(shown.hidden.empty());
  }
}

TEST(StoreNames, SentencesAreCleanedOfWhatIsHidden) {
  const auto cleaned = [](std::string text, const char* name) {
    return without_hidden(std::move(text), shown_store(name).hidden);
  };
  EXPECT_EQ(cleaned("bad \"hunter2\", really hunter2", "redis://u:hunter2@h"), "bad \"***\", really ***");
  EXPECT_EQ(cleaned("it says p@ss and p%40ss", "redis://u:p%40ss@h"), "it says *** and ***");
  EXPECT_EQ(cleaned("x of my axe", "redis://u:x@h"), "*** of my axe");
  EXPECT_EQ(cleaned("no such host h", "redis://h/0"), "no such host h");
  EXPECT_EQ(cleaned("at redis:/u:pw@h!", "redis:/u:pw@h"), "at ***!");
}

TEST(StoreNames, AreToldFromPages) {
  for (const char* text : {"redis://h", "Redis:/u:p@h", " postgres:p", "host=a", "password = x"})
    EXPECT_TRUE(is_store_address(text)) << text;
  for (const char* text :
       {"http://u:p@h/", "example.org/a", "u:p@example.org", "robots.txt", "./host=a", "/a?password=x"}) {
    EXPECT_FALSE(is_store_address(text)) << text;
  }
}

}  // namespace
}  // namespace robotrules::base

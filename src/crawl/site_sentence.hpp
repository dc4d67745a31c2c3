// Sentences about sites and why their URLs cannot be fetched.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <robotrules/message.hpp>

namespace robotrules::crawl {

// Returns the sentence without the URL that it begins with, if that URL is of `origin`.
std::string without_own_url(std::string_view origin, std::string_view sentence);

// Returns Response::warning without the URL that it begins with: for a failure that has nothing to do with the URL.
std::string without_url(const Response& response);

// Returns how long a server that answers 429 or 503 for its robots.txt must be left alone; 0: it did not answer so.
std::chrono::microseconds pause_asked_for(const RobotsNote& note, Timestamp now) noexcept;

// Returns why the robots.txt of `origin` cannot be fetched, or why its URLs cannot be judged: "robots.txt cannot be
// fetched: the address 127.0.0.1:80 is not allowed". The sentence names a URL only if it is of another site.
std::string sentence_about(std::string_view origin, const RobotsNote& note);

}  // namespace robotrules::crawl

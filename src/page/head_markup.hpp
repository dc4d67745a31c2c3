// The tags of a document's head that give information, cut out of the document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace robotrules::agent {

// Limits on the work for one document.
struct HeadLimits {
  std::size_t document = std::size_t{1} << 20;  // bytes of the document that are read
  std::size_t attributes = 64;                  // attributes of a tag; a tag with more is left out
  std::size_t tags = 2'000;                     // tags that are kept
};

// Returns every meta, base, link and title tag of the head, in order and as written; a title tag with its text.
// Comments, scripts, styles and templates are left out: tags inside them are only text. Tags inside a noscript are
// kept, because a robot runs no scripts. Nothing inside a noscript ends the head, because browsers that run scripts see
// no tags there.
//
// The result ends where the head ends by HTML section 13.2.6.4: at text, at the start of an element that does not
// belong in a head, and at </body>, </html> or </br>. It also ends at a limit; a tag that is not closed there is left
// out. A tree builder then reads a flat and small document. A tree builder that reads a whole document of an unknown
// author can be made to use memory and stack in the square of the document's size.
std::string head_markup(std::string_view html, const HeadLimits& limits = {});

}  // namespace robotrules::agent

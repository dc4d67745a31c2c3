// The few tags of a document's head that say something, cut out of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace robotrules::agent {

struct HeadLimits {
  std::size_t document = std::size_t{1} << 20;  // octets of it that are looked at
  std::size_t attributes = 64;                  // of a tag; one that has more is left out
  std::size_t tags = 2'000;                     // that are kept
};

// Every meta, base, link and title tag (this with its text) of the head, in order and as written, and nothing else:
// without comments, scripts, styles and templates, whose text no tag stands in. A noscript's tags are kept, as a robot
// runs no scripts, and nothing in it ends the head, as browsers that do see no tags there.
//
// It ends where the head ends by HTML section 13.2.6.4 (at text, at the start of any element that no head holds, at
// </body>, </html> or </br>), or at a limit; a tag that is not closed there is left out. What is left for a tree
// builder to read is flat and small: one that is given a whole document of a stranger can be made to use memory and
// stack in the square of its size.
std::string head_markup(std::string_view html, const HeadLimits& limits = {});

}  // namespace robotrules::agent

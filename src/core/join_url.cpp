#include <robotrules/url.hpp>

#include <algorithm>
#include <utility>

#include "core/dot_segments.hpp"
#include "core/url_path.hpp"

namespace robotrules {
namespace {

std::string without_dots(std::string path) {
  path.resize(core::resolve_dots(path.data(), path.size()));
  return path;
}

}  // namespace

std::string join_url(std::string_view base, std::string_view reference) {
  const std::size_t scheme = core::scheme_length(base);
  if (scheme == 0 || !base.substr(scheme + 1).starts_with("//")) return std::string(reference);
  if (core::scheme_length(reference) != 0) return std::string(reference);

  base = base.substr(0, base.find('#'));
  const std::size_t path_begin = std::min(base.find_first_of("/?", scheme + 3), base.size());
  const std::string_view authority = base.substr(0, path_begin);
  const std::string_view base_path = base.substr(path_begin, base.find('?', path_begin) - path_begin);

  std::string out;
  if (reference.starts_with("//")) return out.append(base.substr(0, scheme + 1)).append(reference);
  const std::size_t path_size = std::min(reference.find_first_of("?#"), reference.size());
  const std::string_view path = reference.substr(0, path_size);
  const std::string_view rest = reference.substr(path_size);
  out = authority;
  if (path.empty()) {
    const bool own_query = rest.starts_with("?");
    return out.append(own_query ? base_path : base.substr(path_begin)).append(rest);
  }
  if (path.starts_with("/")) return out.append(without_dots(std::string(path))).append(rest);
  const std::size_t directory = base_path.rfind('/');
  std::string merged(directory == std::string_view::npos ? std::string_view("/") : base_path.substr(0, directory + 1));
  merged += path;
  return out.append(without_dots(std::move(merged))).append(rest);
}

}  // namespace robotrules

#include "suffix/public_suffix.hpp"

#include <libpsl.h>

#include "base/ascii.hpp"

namespace robotrules::suffix {
namespace {

bool is_address(const std::string& host) {
  return host.starts_with('[') || (!host.empty() && base::is_digit(host.back()));
}

}  // namespace

bool is_public_suffix(const std::string& host) {
  const psl_ctx_t* list = psl_builtin();
  return list != nullptr && !is_address(host) && psl_is_public_suffix(list, host.c_str()) != 0;
}

std::string registrable_domain(const std::string& host) {
  if (is_address(host)) return host;
  const psl_ctx_t* list = psl_builtin();
  const char* domain = list == nullptr ? nullptr : psl_registrable_domain(list, host.c_str());
  return domain == nullptr ? host : std::string(domain);
}

}  // namespace robotrules::suffix

#include "crawl/page_links.hpp"

#include <robotrules/page_output.hpp>
#include <robotrules/url.hpp>

#include "queue/queue_values.hpp"

namespace robotrules {

Result<void> crawl::check_links(std::span<const QueuedUrl> urls) {
  if (auto checked = store::check_methods(urls); !checked) return checked;
  for (const QueuedUrl& one : urls) {
    if (!store::is_queueable(one.url) || !Origin::of(one.url)) return store::invalid_url(one.url);
  }
  return {};
}

Result<void> FetchedPage::add(std::span<const QueuedUrl> urls) const {
  if (links == nullptr) {
    return Error{"no-crawl", "FetchedPage::add() works only in on_page: call UrlQueue::add() elsewhere"};
  }
  if (auto checked = crawl::check_links(urls); !checked) return checked;
  links->insert(links->end(), urls.begin(), urls.end());
  return {};
}

Result<void> FetchedPage::add(std::initializer_list<QueuedUrl> urls) const {
  return add(std::span(urls.begin(), urls.size()));
}

}  // namespace robotrules

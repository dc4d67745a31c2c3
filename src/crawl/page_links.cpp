// The links that CrawlOptions::on_page adds.
#include <robotrules/origin.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/url_queue.hpp>

#include "store/queue_values.hpp"

namespace robotrules {

// A URL that the queue refuses would end the crawl when the page is settled, so it is refused here.
Result<void> FetchedPage::add(std::span<const QueuedUrl> urls) const {
  if (links == nullptr) {
    return Error{"no-crawl", "FetchedPage::add() works only in CrawlOptions::on_page: call UrlQueue::add() elsewhere"};
  }
  if (auto checked = store::check_methods(urls); !checked) return checked;
  for (const QueuedUrl& one : urls) {
    if (!store::is_queueable(one.url) || !Origin::of(one.url)) return store::invalid_url(one.url);
  }
  links->insert(links->end(), urls.begin(), urls.end());
  return {};
}

Result<void> FetchedPage::add(std::initializer_list<QueuedUrl> urls) const {
  return add(std::span(urls.begin(), urls.size()));
}

}  // namespace robotrules

// The handlers of the program: which ones match, and the order in which they run.
#pragma once

#include "http/http_engine.hpp"

namespace robotrules::agent {

// Returns whether a handler's match fits this request, and this response if there is one.
bool matches(const HandlerMatch& match, const Request& request, const Response* response);

// Runs the matching handlers of a phase in order, until `enough` returns true for an answer.
template <class Enough>
void run_handlers(const Engine::Handlers& handlers, Phase phase, HandlerCall& call, Enough enough) {
  for (const AddedHandler& known : handlers) {
    if (known.phase != phase || !matches(known.match, *call.request, call.response)) continue;
    if (enough(known.handler(call))) return;
  }
}

}  // namespace robotrules::agent

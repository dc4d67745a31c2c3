// The program's handlers: which of them are meant, and in what order they run.
#pragma once

#include "http/engine.hpp"

namespace robotrules::agent {

// Does the handler's match mean this request, and response where there is one?
bool matches(const HandlerMatch& match, const Request& request, const Response* response);

// Runs the handlers of a phase until one answers `enough`.
template <class Enough>
void run_handlers(const Engine::Handlers& handlers, Phase phase, HandlerCall& call, Enough enough) {
  for (const AddedHandler& known : handlers) {
    if (known.phase != phase || !matches(known.match, *call.request, call.response)) continue;
    if (enough(known.handler(call))) return;
  }
}

}  // namespace robotrules::agent

// The session of a store on a server: it goes on when the server cannot be reached.
#pragma once

#include <memory>

#include <robotrules/seams/store_session.hpp>

#include "base/visibility.hpp"

namespace robotrules::store {

// Returns a session that calls the store on two threads of its own: one for the gate, one for records. So a slow record
// does not hold up the gate. While the server cannot be reached
//   - a request to the gate gets a Wait with WaitWhy::unreachable, and asks again;
//   - the end of a dispatch is kept and reported when the server is back; also if the server has no room for it
//     ("store-full") or its disk fails ("store-io");
//   - calls for records wait for the server. In a cluster, only those of the server that cannot be reached wait.
// If an answer that grants tokens took longer than a second (the process was stopped, or the network was), the tokens
// are given back and the requests get such a Wait too: another process may have sent its request meanwhile.
// Calls for the gate are answered in their order, and so are calls for the records of one origin. The store must
// outlive the session, and its call_gate() must be safe to call again after an error that passes. finish() waits for at
// most 10 seconds for a server that cannot be reached.
// `has_several_servers`: its records are on several servers, as in a cluster. Otherwise one call tries whether the
// server is back, and the others wait for that one.
ROBOTRULES_INTERNAL_API std::unique_ptr<StoreSession> make_server_session(Store& store, StoreSession::Post post,
                                                                          bool has_several_servers);

}  // namespace robotrules::store

// What the scripted server answers: a reply, a script of single steps on the socket, or what a function makes of the
// request.
//
//   server.on("", "/robots.txt", reply("User-agent: *\nDisallow: /x\n"));
//   server.on("a.test", "/*", in_turn({status(503, {{"Retry-After", "2"}}), reply("here")}));
//   Gate gate;
//   server.on("b.test", "/slow", Script().send("HTTP/1.1 200 OK\r\nContent-Length:
//   4\r\n\r\nab").wait(gate).send("cd").keep()); server.on("", "/echo", [](const SeenRequest& request) { return
//   reply(request.head); });
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "support/server/witness.hpp"

namespace robotrules::test {

// A well-formed answer.
struct Reply {
  int status = 200;
  std::string reason = {};  // empty: the usual one
  // Sent as they are. Content-Length is added unless this has one, or a Transfer-Encoding.
  std::vector<HeaderLine> headers = {};
  std::string body = {};    // not sent to HEAD, nor with 1xx, 204 and 304
  std::size_t chunked = 0;  // bytes a chunk; 0: not chunked
  bool close = false;       // "Connection: close", and it is
  bool length = true;       // false: no Content-Length, the end of the connection ends the body
};

// 200 with that body; `type` empty: no Content-Type.
Reply reply(std::string body, std::string type = "text/plain");
// No body.
Reply status(int status, std::vector<HeaderLine> headers = {});
Reply redirect(int status, std::string location);

// All bytes of a reply as they are sent to GET: for scripts that cut or bend them.
std::string bytes_of(const Reply& reply);
std::string head_of(const Reply& reply);
std::string_view usual_reason(int status);

// Keeps scripts waiting until a test opens it. A copy is the same gate. Any thread.
class Gate {
 public:
  Gate();
  // Lets all through, those who come later too.
  void open() const;
  bool is_open() const;
  // Waits until `count` scripts in all have come to it; false: not within the time.
  bool wait_reached(std::size_t count = 1, Millis limit = patience) const;

  // For the server alone: true if it is open; else `opened` is called once when it opens, on the thread that opens it.
  bool arrive(std::function<void()> opened) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Gives a body piece by piece; an empty piece is its end.
using Source = std::function<std::string()>;

// Steps on the connection, done one after the other once the request, with its body, has been read. After the last step
// the connection is closed in order, unless that step is keep(). When the peer has gone the rest is not done.
class Script {
 public:
  struct Send {
    std::string bytes;
  };
  struct Stream {
    std::function<Source()> source;
  };
  struct Wait {
    Gate gate;
  };
  struct Pause {
    Millis time;
  };
  struct Drip {
    std::string bytes;
    std::size_t piece;
    Millis every;
  };
  struct Repeat {
    std::string bytes;
    Millis every;
  };
  struct ReadMore {};
  struct ReadToEnd {};
  struct HalfClose {};
  struct Reset {};
  struct Cut {};
  struct Keep {};
  using Step = std::variant<Send, Stream, Wait, Pause, Drip, Repeat, ReadMore, ReadToEnd, HalfClose, Reset, Cut, Keep>;

  Script& send(std::string bytes) { return with(Send{std::move(bytes)}); }
  Script& send(const Reply& reply) { return with(Send{bytes_of(reply)}); }
  // What a source of its own, made for each request, gives.
  Script& stream(std::function<Source()> source) { return with(Stream{std::move(source)}); }
  Script& wait(const Gate& gate) { return with(Wait{gate}); }
  // For what is about a deadline on the wall clock, and nothing else.
  Script& pause(Millis time) { return with(Pause{time}); }
  // `piece` bytes, the time, the next bytes ...
  Script& drip(std::string bytes, std::size_t piece, Millis every) {
    return with(Drip{std::move(bytes), piece, every});
  }
  // Without end, until the peer closes; with `every` a pause between one and the next.
  Script& repeat(std::string bytes, Millis every = Millis(0)) { return with(Repeat{std::move(bytes), every}); }
  // Until the peer has sent something more, or closed.
  Script& read_more() { return with(ReadMore{}); }
  // Until the peer has closed: a server that never answers.
  Script& read_to_end() { return with(ReadToEnd{}); }
  // The end of our stream; the peer's is still read by later steps.
  Script& half_close() { return with(HalfClose{}); }
  // RST instead of an orderly end.
  Script& reset() { return with(Reset{}); }
  // The end of the stream, under TLS without its close_notify.
  Script& cut() { return with(Cut{}); }
  // The connection goes on with its next request.
  Script& keep() { return with(Keep{}); }

  const std::vector<Step>& steps() const { return steps_; }

 private:
  Script& with(Step step) {
    steps_.push_back(std::move(step));
    return *this;
  }

  std::vector<Step> steps_;
};

using Answer = std::variant<Reply, Script>;

// What a route does. Functions run on the server's thread: they must not wait.
class Handler {
 public:
  Handler(Reply reply) : Handler([answer = Answer(std::move(reply))](const SeenRequest&) { return answer; }) {}
  Handler(Script script) : Handler([answer = Answer(std::move(script))](const SeenRequest&) { return answer; }) {}
  template <typename Function>
    requires std::is_invocable_r_v<Answer, Function&, const SeenRequest&>
  Handler(Function function) : make_(std::make_shared<const Make>(std::move(function))) {}

  Answer operator()(const SeenRequest& request) const { return (*make_)(request); }

 private:
  using Make = std::function<Answer(const SeenRequest&)>;
  std::shared_ptr<const Make> make_;
};

// The first for the first request, and so on; the last for all that follow.
Handler in_turn(std::vector<Handler> handlers);

}  // namespace robotrules::test

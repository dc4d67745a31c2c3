# frozen_string_literal: true

require_relative "native"

module Robotrules
  # The fetch of one robots.txt: what to request next, or what the answers mean (RFC 9309 section 2.3.1). It sends
  # nothing: the program sends each request without following redirects, and tells what came of it. Times are seconds
  # since 1970. One thread at a time.
  #
  #   fetch = Robotrules::RobotsFetch.new("https://example.org/robots.txt")
  #   until fetch.done?
  #     response = ... # GET fetch.url with fetch.headers, not before fetch.at
  #     fetch.answer(response.status, response.fields, response.body)
  #   end
  class RobotsFetch
    OUTCOMES = %i[rules unavailable unreachable].freeze
    STATES = %i[unknown rules stale allow-all disallow-all].freeze
    ENDS = { answered: 1, failed: 2, ours: 3, by_proxy: 4 }.freeze
    HEADERS = %w[Accept If-None-Match If-Modified-Since].freeze

    # Of a request: the URL, the time, whether it is repeated (use a new connection), and the fields to send. Of a
    # result: the URL of the last answer, the outcome (:rules, :unavailable, :unreachable), what the policy says about the
    # site (:rules, :stale, :"allow-all", :"disallow-all"), the status (0: no answer), the time until it holds, the file
    # or the last good copy as bytes, whether the file is longer, and why there is none.
    attr_reader :url, :at, :headers, :outcome, :state, :status, :fresh_until, :robots, :reason

    # `last`: an earlier fetch of the same site. Its file may be asked for conditionally, and its failures count. Raises
    # Error "invalid-url", and "invalid-argument" for a policy that does not exist.
    def initialize(robots_url, policy: "rfc9309", last: nil, now: Time.now.to_f)
      url = Native.url_bytes_of(robots_url)
      policy = Native.bytes_of(policy.to_s, "the policy")
      @handle = Native.owned(Native::ROBOTS_FETCH_FREE) do |room|
        Native.check(Native::ROBOTS_FETCH_NEW.call(url, url.bytesize, policy, policy.bytesize, last&.handle,
                                                   microseconds(now), room))
      end
      read_step
    end

    def done?
      @done
    end

    def repeated?
      @repeated
    end

    def truncated?
      @truncated
    end

    # Sets the largest number of redirects that are followed, and of bytes that are read, and whether redirects from https
    # to http are followed.
    def limit(redirects: 5, bytes: 512_000, downgrade: false)
      Native.check(Native::ROBOTS_FETCH_LIMITS.call(@handle, redirects, bytes, bit(downgrade)))
    end

    # Takes the answer of a server. `fields`: pairs of names and values. `encoded`: the body is as received; else the
    # client has removed the codings that Content-Encoding names. `cut`: the client stopped reading. `whole`: the end of
    # the body is certain. `jitter`, from 0 to 1, spreads the next requests after failures.
    def answer(status, fields, body, encoded: false, cut: false, whole: true, jitter: 0.0, now: Time.now.to_f,
               requested_at: now, received_at: now)
      texts = fields.flatten.map { |text| Native.bytes_of(text, "a field").b }
      joined = texts.join # one string, which stays in its place during the call
      place = Fiddle::Pointer[joined].to_i
      views = texts.flat_map { |text| [place, text.bytesize].tap { place += text.bytesize } }.pack("J*")
      body = Native.bytes_of(body, "the body")
      take([ENDS[:answered], Integer(status), Fiddle::Pointer[views].to_i, texts.size, Fiddle::Pointer[body].to_i,
            body.bytesize, bit(encoded), bit(cut), bit(!whole), 0, microseconds(requested_at), microseconds(received_at),
            0, 0, jitter], now)
    end

    # Takes a request that had no answer. `how`: :failed (the site did not answer), :ours (by no fault of the site), or
    # :by_proxy (nothing is kept, and the site is requested again later; `refusals`: such ends before, in a row).
    def fail(reason, how = :failed, refusals: 0, jitter: 0.0, now: Time.now.to_f)
      reason = Native.bytes_of(reason, "the reason")
      take([ENDS.fetch(how), 0, 0, 0, 0, 0, 0, 0, 0, refusals, 0, 0, Fiddle::Pointer[reason].to_i, reason.bytesize, jitter],
           now)
    end

    protected

    attr_reader :handle

    private

    def bit(flag)
      flag ? 1 : 0
    end

    def microseconds(time)
      (time * 1_000_000).round
    end

    def take(members, now)
      exchange = [Native::EXCHANGE_SIZE, *members].pack(Native::EXCHANGE_STRUCT)
      Native.check(Native::ROBOTS_FETCH_ANSWER.call(@handle, exchange, microseconds(now)))
      read_step
    end

    def read_step
      done, *url, at, repeated, accept, accept_size, tag, tag_size, since, since_size, outcome, state, @status, fresh_until,
        truncated, robots, robots_size, reason, reason_size =
        Native.struct(Native::ROBOTS_STEP_STRUCT) { |room| Native.check(Native::ROBOTS_FETCH_STEP.call(@handle, room)) }
      @done, @repeated, @truncated = [done, repeated, truncated].map { |flag| flag == 1 }
      @url = Native.view(*url)
      @at = at / 1_000_000.0
      values = [[accept, accept_size], [tag, tag_size], [since, since_size]].map { |view| Native.view(*view) }
      @headers = HEADERS.zip(values).to_h.reject { |_, value| value.empty? }
      @outcome, @state = OUTCOMES[outcome], STATES[state] if @done
      @fresh_until = fresh_until / 1_000_000.0
      @robots = Native.view(robots, robots_size).b
      @reason = Native.view(reason, reason_size)
    end
  end
end

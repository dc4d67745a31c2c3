-- gate.lua: the gate. The same arithmetic as src/store/gate_row.cpp, which explains it; a test compares their answers.
-- The keys of each function are those of the rows. The answer of each function begins with the server's time.

local MINUTE = 60000000
local HOUR = 3600000000
local DAY = 86400000000
local MAX_PAUSE = 3650 * DAY
local MAX_VISITS = 4503599627370496
-- A request may be sent so long after its grant (max_grant_age of store.hpp). After a loss of writes, the
-- processes also send again what they know in this time.
local SETTLING = 2000000
local KEEP = 30 * DAY -- a row is kept for this time after it has delayed the last request

-- Names of WaitWhy and IntervalSource, as numbers.
local INTERVAL, PENALTY, IN_FLIGHT, JUST_VISITED, AWAY = 0, 1, 2, 3, 4
local ADAPTIVE = 3
-- Of OutcomeCause: no answer was lost, and the robot itself ended the request.
local NO_CAUSE, CANCELLED = 0, 5
-- As in gate_row.cpp.
local FIRST_UNAVAILABLE = 5000000
local RECOVERY_AFTER_UNAVAILABLE = 4
local FAILURES_LAST = 12 * HOUR
local MAX_FAILURES = 1000000

local function damaged(key)
  error({ err = 'ROBOTRULES-DAMAGED ' .. key })
end

local function read_row(key)
  local packed = redis.call('GET', key)
  if not packed then
    return {
      interval = 0, source = 0, armed_at = 0, latency = 0, penalty_until = 0, incident_at = 0, incidents = 0,
      visits = 0, last_visit = NEVER, fence = 0, holds = {}, recovery = 0, failures = 0, failing_since = 0,
      failed_at = 0,
    }
  end
  local is_packed, list = pcall(cmsgpack.unpack, packed)
  if not is_packed or type(list) ~= 'table' or type(list[11]) ~= 'table' then
    damaged(key)
  end
  for i = 1, 10 do
    if type(list[i]) ~= 'number' then
      damaged(key)
    end
  end
  for i = 12, 15 do
    list[i] = list[i] or 0 -- an older version writes 11 values
    if type(list[i]) ~= 'number' then
      damaged(key)
    end
  end
  local holds = {}
  for i, hold in ipairs(list[11]) do
    if type(hold) ~= 'table' or #hold ~= 9 then
      damaged(key)
    end
    holds[i] = {
      fence = hold[1], granted_at = hold[2], expires_at = hold[3], arms = hold[4] == 1, armed_before = hold[5],
      last_before = hold[6], owner = hold[7], lease = hold[8], serial = hold[9],
    }
  end
  return {
    interval = list[1], source = list[2], armed_at = list[3], latency = list[4], penalty_until = list[5],
    incident_at = list[6], incidents = list[7], visits = list[8], last_visit = list[9], fence = list[10],
    holds = holds, recovery = list[12], failures = list[13], failing_since = list[14], failed_at = list[15],
  }
end

local function write_row(key, row, now)
  local holds = {}
  local last = max(row.armed_at + row.interval, row.penalty_until, row.incident_at + DAY, row.failed_at + DAY)
  for i, hold in ipairs(row.holds) do
    last = max(last, hold.expires_at + row.interval)
    holds[i] = {
      hold.fence, hold.granted_at, hold.expires_at, hold.arms and 1 or 0, hold.armed_before, hold.last_before,
      hold.owner, hold.lease, hold.serial,
    }
  end
  local packed = cmsgpack.pack({
    row.interval, row.source, row.armed_at, row.latency, row.penalty_until, row.incident_at, row.incidents,
    row.visits, row.last_visit, row.fence, holds, row.recovery, row.failures, row.failing_since, row.failed_at,
  })
  -- A later request may have a longer interval than the last one.
  local left = max(last - now, 0) + row.interval + KEEP
  redis.call('SET', key, packed, 'PX', string.format('%.0f', left / 1000))
end

local function back_off(incidents)
  return min(MINUTE * 2 ^ min(incidents - 1, 6), HOUR)
end

local function is_failure(cause)
  return cause ~= NO_CAUSE and cause ~= CANCELLED
end

-- Until when the key pauses after its last failure; 0: it does not.
local function away_until(row)
  return row.failures == 0 and 0 or row.failed_at + min(5000000 * 2 ^ min(row.failures - 1, 7), 10 * MINUTE)
end

local function follow_clock(row, now)
  local latest = max(row.last_visit == NEVER and 0 or row.last_visit, row.incident_at, row.failed_at, row.armed_at)
  for _, hold in ipairs(row.holds) do
    latest = max(latest, hold.granted_at)
  end
  if latest <= now then
    return
  end
  local back = latest - now
  row.must_write = true
  row.armed_at = row.armed_at - back
  row.penalty_until = row.penalty_until - back
  row.incident_at = row.incident_at - back
  row.failing_since = row.failing_since - back
  row.failed_at = row.failed_at - back
  if row.last_visit ~= NEVER then
    row.last_visit = row.last_visit - back
  end
  for _, hold in ipairs(row.holds) do
    hold.granted_at = hold.granted_at - back
    hold.expires_at = hold.expires_at - back
    hold.armed_before = hold.armed_before - back
    if hold.last_before ~= NEVER then
      hold.last_before = hold.last_before - back
    end
  end
end

local function arm(row, time)
  row.armed_at = max(row.armed_at, time)
  for _, hold in ipairs(row.holds) do
    hold.armed_before = max(hold.armed_before, time)
  end
end

-- The interval after a response with that latency.
local function adaptive_after(factor, longest, latency)
  if not (factor > 0) or latency <= 0 then
    return 0
  end
  return floor(min(latency * factor, longest))
end

local function interval_on(row, request)
  return max(request.interval, adaptive_after(request.factor, request.max_adaptive, row.latency))
end

-- Removes the holds for which `is_over` is true. `armed_at` returns when the interval starts again because of one.
local function end_holds_if(row, is_over, armed_at)
  local kept, ended = {}, {}
  for _, hold in ipairs(row.holds) do
    if is_over(hold) then
      ended[#ended + 1] = hold
    else
      kept[#kept + 1] = hold
    end
  end
  if #ended == 0 then
    return false
  end
  for _, hold in ipairs(ended) do
    if hold.arms then
      arm(row, armed_at(hold))
    end
  end
  row.holds = kept
  return true
end

local function expire_holds(row, now)
  follow_clock(row, now)
  if #row.holds == 0 then
    return
  end
  local function is_over(hold)
    return hold.expires_at <= now
  end
  local function end_of(hold)
    return hold.expires_at
  end
  if end_holds_if(row, is_over, end_of) then
    row.must_write = true
  end
end

local function penalise(row, outcome, granted_at, longest, now)
  local status = outcome.status
  local refused = status == 429 or status == 503
  local has_pause_status = refused or status == 403 or (status >= 300 and status < 400)
  local has_retry_after = has_pause_status and outcome.retry_after > 0
  if not refused and not has_retry_after then
    return false
  end
  if row.incidents == 0 then
    row.recovery = 0
  end
  if row.incidents == 0 or granted_at > row.incident_at then
    row.incidents = row.incidents + 1
    row.incident_at = now
  end
  local is_unavailable = status == 503 and not has_retry_after
  row.recovery = max(row.recovery, is_unavailable and RECOVERY_AFTER_UNAVAILABLE or 1)
  local pause = back_off(row.incidents)
  if is_unavailable then
    pause = row.incidents == 1 and FIRST_UNAVAILABLE or back_off(row.incidents - 1)
  end
  if has_retry_after then
    pause = min(outcome.retry_after, longest)
  end
  row.penalty_until = max(row.penalty_until, now + pause)
  row.new_penalty = now + pause
  return true
end

local function recover(row, outcome, granted_at)
  if row.incidents == 0 or outcome.status == 0 or outcome.status >= 500 or granted_at <= row.incident_at then
    return
  end
  if row.recovery > 1 then
    row.recovery = row.recovery - 1
  else
    row.incidents, row.recovery = 0, 0
  end
end

local function note_failure(row, outcome, granted_at, now)
  if not is_failure(outcome.cause) then
    if outcome.status ~= 0 and outcome.cause == NO_CAUSE and granted_at > row.failed_at then
      row.failures, row.failing_since, row.failed_at = 0, 0, 0
    end
    return false
  end
  if row.failed_at + FAILURES_LAST + row.interval < now then
    row.failures = 0
  end
  if row.failures == 0 then
    row.failing_since = now
  end
  if row.failures == 0 or granted_at > row.failed_at then
    row.failures = min(row.failures, MAX_FAILURES - 1) + 1
    row.failed_at = now
  end
  return true
end

-- Returns until when the row delays the request and why, or nothing.
local function find_obstacle(row, request, now, mark)
  expire_holds(row, now)
  if row.penalty_until - now > request.max_penalty then
    row.penalty_until = now + request.max_penalty
    row.must_write = true
  end
  local longest, reason = now, nil
  local function wait(time, why)
    if time > longest then
      longest, reason = time, why
    end
  end
  wait(row.penalty_until, PENALTY)
  wait(away_until(row), AWAY)
  if not request.robots_fetch then
    wait(row.armed_at + interval_on(row, request), INTERVAL)
    if mark ~= NEVER then
      wait(mark + SETTLING + request.interval, JUST_VISITED)
    end
  end
  if #row.holds >= max(request.in_flight, 1) then
    local first = row.holds[1].expires_at
    for _, hold in ipairs(row.holds) do
      first = min(first, hold.expires_at)
    end
    wait(first, IN_FLIGHT)
  end
  if reason ~= nil then
    return longest, reason
  end
end

local function obstacle_in(row, request, call, mark)
  local longest, reason = find_obstacle(row, request, call.now, mark)
  if reason == nil or #row.holds == 0 then
    return longest, reason
  end
  local function is_over(hold)
    return has_ended(call, hold.owner, hold.lease)
  end
  local function now()
    return call.now
  end
  if not end_holds_if(row, is_over, now) then
    return longest, reason
  end
  row.must_write = true
  return find_obstacle(row, request, call.now, mark)
end

local function grant(row, request, fence, call)
  local now = call.now
  row.holds[#row.holds + 1] = {
    fence = fence, granted_at = now, expires_at = now + request.hold,
    arms = not request.robots_fetch and not request.from_start, armed_before = row.armed_at,
    last_before = row.last_visit, owner = call.owner, lease = call.lease, serial = request.serial,
  }
  row.fence = fence
  if request.robots_fetch then
    return
  end
  local interval = interval_on(row, request)
  row.interval = interval
  row.source = interval > request.interval and ADAPTIVE or request.source
  row.armed_at = max(row.armed_at, now)
  row.visits = row.visits + 1
  row.last_visit = max(row.last_visit, now)
end

local function take_hold(row, is_wanted)
  for i, hold in ipairs(row.holds) do
    if is_wanted(hold) then
      table.remove(row.holds, i)
      return hold
    end
  end
end

local function complete(row, token, outcome, now, mark)
  expire_holds(row, now)
  local hold = take_hold(row, function(one) return one.fence == token.fence end)
  if hold == nil then
    -- The hold may have been lost with other writes. The dispatch counts all the same.
    local is_lost = token.expires_at > now and mark ~= NEVER and token.granted_at < mark
    if is_lost and not token.robots_fetch and not token.from_start then
      arm(row, now)
      row.must_write = true
    end
    if is_lost or token.expires_at <= now then
      local is_penalised = penalise(row, outcome, token.granted_at, token.max_penalty, now)
      if is_failure(outcome.cause) then
        note_failure(row, outcome, token.granted_at, now)
      end
      row.must_write = row.must_write or is_penalised or is_failure(outcome.cause)
    end
    return false
  end
  if not token.robots_fetch then
    if outcome.status ~= 0 then
      row.latency = min(max(outcome.latency, 0), MAX_PAUSE)
    end
    local interval = min(adaptive_after(token.factor, token.max_adaptive, row.latency), MAX_PAUSE)
    if interval > row.interval then
      row.interval = interval
      row.source = ADAPTIVE
    end
    if not token.from_start then
      arm(row, now)
    end
  end
  local is_penalised = penalise(row, outcome, hold.granted_at, token.max_penalty, now)
  local has_failed = note_failure(row, outcome, hold.granted_at, now)
  if not is_penalised and not has_failed then
    recover(row, outcome, hold.granted_at)
  end
  return true
end

local function cancel(row, is_wanted, robots_fetch, now)
  expire_holds(row, now)
  local hold = take_hold(row, is_wanted)
  if hold == nil then
    return false
  end
  if not robots_fetch then
    if row.armed_at == hold.granted_at then
      row.armed_at = min(hold.armed_before, now)
    end
    row.visits = max(row.visits - 1, 0)
    if row.last_visit == hold.granted_at then
      row.last_visit = hold.last_before
    end
  end
  return true
end

-- Arguments: 5 the number of this call of the owner, 6 '1' if the guard is on, 7 interval, 8 its source, 9 and 10 the
-- adaptive factor and its longest interval, 11 from_start, 12 hold, 13 in_flight, 14 max_penalty, 15 robots_fetch.
-- Returns { now, 1, fence }: granted; { now, 2, until, number of the key, why }; or { now, 0 }: the call was abandoned.
local function reserve_function(keys, args)
  local call = begin(args)
  local now = call.now
  local request = {
    serial = args[5], interval = tonumber(args[7]), source = tonumber(args[8]), factor = tonumber(args[9]),
    max_adaptive = tonumber(args[10]), from_start = args[11] == '1', hold = tonumber(args[12]),
    in_flight = tonumber(args[13]), max_penalty = tonumber(args[14]), robots_fetch = args[15] == '1',
  }
  if is_abandoned(call, request.serial) then
    return { now, 0 }
  end
  local mark = args[6] == '1' and call.node.mark or NEVER
  local rows, fence = {}, 0
  local longest, reason, slowest
  for i, key in ipairs(keys) do
    local row = read_row(key)
    rows[i] = row
    fence = max(fence, row.fence)
    local time, why = obstacle_in(row, request, call, mark)
    if why ~= nil and (longest == nil or time > longest) then
      longest, reason, slowest = time, why, i
    end
  end
  if longest ~= nil then
    for i, row in ipairs(rows) do
      if row.must_write then
        write_row(keys[i], row, now)
      end
    end
    return { now, 2, longest, slowest, reason }
  end
  fence = max(fence + 1, now)
  for i, row in ipairs(rows) do
    grant(row, request, fence, call)
    write_row(keys[i], row, now)
  end
  return { now, 1, fence }
end

-- Calls `change` with each row and writes those that it has changed. Returns { now, 1 if all were changed }.
local function change_rows(keys, now, change)
  local all = true
  for i, key in ipairs(keys) do
    local row = read_row(key)
    local is_changed = change(row, i)
    all = all and is_changed
    if is_changed or row.must_write then
      write_row(key, row, now)
    end
  end
  return { now, all and 1 or 0 }
end

-- Arguments: 5 the caller's time, 6 fence, 7 granted_at, 8 expires_at, 9 from_start, 10 robots_fetch, 11 and 12 the
-- adaptive factor and its longest interval, 13 max_penalty, and the outcome: 14 status, 15 retry_after (0: none),
-- 16 latency, 17 cause, 18 for each key '1' if the cause counts for it. Without an outcome, the token is cancelled. The
-- times are those of the caller's clock.
-- Returns { now, 1 if the token was valid }, and for an outcome, until when it penalises each key (0: it does not).
local function end_function(keys, args)
  local call = begin(args)
  local now = call.now
  local shift = now - tonumber(args[5])
  local token = {
    fence = tonumber(args[6]), granted_at = tonumber(args[7]) + shift, expires_at = tonumber(args[8]) + shift,
    from_start = args[9] == '1', robots_fetch = args[10] == '1', factor = tonumber(args[11]),
    max_adaptive = tonumber(args[12]), max_penalty = tonumber(args[13]),
  }
  if args[14] == nil then
    local function is_wanted(hold)
      return hold.fence == token.fence
    end
    return change_rows(keys, now, function(row) return cancel(row, is_wanted, token.robots_fetch, now) end)
  end
  local cause = tonumber(args[17])
  local outcome = { status = tonumber(args[14]), retry_after = tonumber(args[15]), latency = tonumber(args[16]) }
  local penalties = {}
  local answer = change_rows(keys, now, function(row, i)
    outcome.cause = args[18]:sub(i, i) == '1' and cause or NO_CAUSE
    local is_valid = complete(row, token, outcome, now, call.node.mark)
    penalties[#penalties + 1] = row.new_penalty or 0
    return is_valid
  end)
  for _, time in ipairs(penalties) do
    answer[#answer + 1] = time
  end
  return answer
end

-- Takes a call of reserve back whose answer was lost: 5 its number, 6 robots_fetch. If the call comes later than this,
-- it is refused.
local function abandon_function(keys, args)
  local call = begin(args)
  local serial = args[5]
  abandon(call, serial)
  local function is_wanted(hold)
    return hold.owner == call.owner and hold.serial == serial
  end
  return change_rows(keys, call.now, function(row) return cancel(row, is_wanted, args[6] == '1', call.now) end)
end

-- Returns { now, interval, source, start of the interval, latency, penalty_until, incidents, visits, last_visit,
-- in_flight, when the first hold expires, failures, the first of them, the end of the pause after them }.
local function state_function(keys, args)
  local now = begin(args).now
  local row = read_row(keys[1])
  expire_holds(row, now)
  local first = NEVER
  for _, hold in ipairs(row.holds) do
    first = first == NEVER and hold.expires_at or min(first, hold.expires_at)
  end
  return {
    now, row.interval, row.source, row.armed_at, row.latency, row.penalty_until, row.incidents, row.visits,
    row.last_visit, #row.holds, first, row.failures, row.failing_since, away_until(row),
  }
end

-- Arguments: 5 the caller's time, 6 the time of one more visit.
local function visit_function(keys, args)
  local now = begin(args).now
  local time = min(tonumber(args[6]) + now - tonumber(args[5]), now)
  return change_rows(keys, now, function(row)
    row.visits = row.visits + 1
    row.last_visit = time
    return true
  end)
end

-- Arguments: 5 the caller's time, 6 penalty_until, 7 visits, 8 the last visit or ''.
local function restore_function(keys, args)
  local now = begin(args).now
  local shift = now - tonumber(args[5])
  local last = tonumber(args[8])
  return change_rows(keys, now, function(row)
    row.penalty_until = max(row.penalty_until, min(tonumber(args[6]) + shift, now + MAX_PAUSE))
    row.visits = row.visits + min(tonumber(args[7]), MAX_VISITS - min(row.visits, MAX_VISITS))
    if last ~= nil then
      row.last_visit = max(row.last_visit, min(last + shift, now))
    end
    return true
  end)
end

-- Removes the penalty. Returns { now, 1 if there was one }.
local function lift_function(keys, args)
  return change_rows(keys, begin(args).now, function(row)
    if row.incidents == 0 and row.failures == 0 and row.penalty_until == 0 then
      return false
    end
    row.incidents, row.incident_at, row.penalty_until, row.recovery = 0, 0, 0, 0
    row.failures, row.failing_since, row.failed_at = 0, 0, 0
    return true
  end)
end

-- Removes the numbers of visits, for another robot.
local function unvisit_function(keys, args)
  return change_rows(keys, begin(args).now, function(row)
    local is_changed = row.visits > 0 or row.last_visit ~= NEVER
    row.visits, row.last_visit = 0, NEVER
    return is_changed
  end)
end

local function is_live(row, now)
  for _, hold in ipairs(row.holds) do
    if hold.expires_at + (hold.arms and row.interval or 0) > now then
      return true
    end
  end
  return (row.incidents > 0 and row.incident_at + DAY > now) or (row.failures > 0 and row.failed_at + DAY > now)
    or row.armed_at + row.interval > now or row.penalty_until > now
end

-- Deletes the row unless it was visited since the time in argument 6 or still delays a request; 5 the caller's time.
-- Returns { now, 1 if it was deleted }.
local function prune_function(keys, args)
  local now = begin(args).now
  local before = tonumber(args[6]) + now - tonumber(args[5])
  if redis.call('EXISTS', keys[1]) == 0 then
    return { now, 0 }
  end
  local row = read_row(keys[1])
  if is_live(row, now) or row.last_visit >= before then
    return { now, 0 }
  end
  redis.call('UNLINK', keys[1])
  return { now, 1 }
end

redis.register_function('robotrules_@ID@_reserve', reserve_function)
register_for_full('end', end_function)
register_for_full('abandon', abandon_function)
register_for_full('state', state_function)
redis.register_function('robotrules_@ID@_visit', visit_function)
register_for_full('restore', restore_function)
register_for_full('lift', lift_function)
register_for_full('unvisit', unvisit_function)
register_for_full('prune', prune_function)

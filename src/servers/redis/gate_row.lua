-- gate_row.lua: the rows of the gate. The same arithmetic as src/store/gate_row.cpp, which explains it; a test compares
-- their answers.

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


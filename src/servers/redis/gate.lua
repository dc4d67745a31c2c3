-- gate.lua: the functions of the gate. The keys of each function are those of the rows. The answer of each function
-- begins with the server's time.

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

-- records.lua: robots.txt records and the leases to fetch one. The answer of each function begins with the server's time.
--
-- The record of an origin is a hash: v its version, m its fields (packed by record_fields.cpp), f fetched_at,
-- u fresh_until, b the SHA-256 of its body or ''. A body is a hash in the same slot: d the bytes (packed), n their
-- number before that, and a field "o:ORIGIN" for each origin that has the body; it goes with the last of them.

-- Returns the lease in that key: { fence, until, owner, the owner's lease, the number of the owner's call }. A lease that has ended is 0 long.
local function read_lease(key)
  local packed = redis.call('GET', key)
  if not packed then
    return { 0, 0, '', 0, '' }
  end
  local is_packed, lease = pcall(cmsgpack.unpack, packed)
  if not is_packed or type(lease) ~= 'table' or #lease ~= 5 then
    damaged(key)
  end
  return lease
end

local function write_lease(key, lease, now)
  redis.call('SET', key, cmsgpack.pack(lease), 'PX', string.format('%.0f', (max(lease[2] - now, 0) + DAY) / 1000))
end

local function is_leased(lease, call)
  return lease[2] > call.now and not has_ended(call, lease[3], lease[4])
end

-- Returns false if the lease with this fence is no longer held.
local function end_lease(key, fence, call)
  local lease = read_lease(key)
  if lease[1] ~= fence or lease[2] <= call.now then
    return false
  end
  write_lease(key, { fence, 0, '', 0, '' }, call.now)
  return true
end

local function drop_body(base, origin, hash)
  if not hash or hash == '' then
    return
  end
  local key = base .. 'b:' .. hash
  redis.call('HDEL', key, 'o:' .. origin)
  if redis.call('HLEN', key) <= 2 then
    redis.call('UNLINK', key)
  end
end

local function set_expiry(key, left)
  if redis.call('PTTL', key) < left then
    redis.call('PEXPIRE', key, string.format('%.0f', left))
  end
end

local function next_version(key, call)
  local last = tonumber(redis.call('HGET', key, 'v')) or 0
  return string.format('%.0f', max(last + 1, call.real))
end

-- A record whose body was lost is of no use.
local function has_body(base, hash)
  return hash == '' or redis.call('EXISTS', base .. 'b:' .. hash) == 1
end

-- `record`: { base of the site's keys, origin, hash of the body, the body, its size, fields, fetched_at, fresh_until,
-- milliseconds to keep it }. Returns false if it is older than the stored one and `newer_only` is set.
local function put_record(key, record, call, newer_only)
  local old = redis.call('HMGET', key, 'b', 'f')
  if newer_only and old[2] and tonumber(record[7]) < tonumber(old[2]) and has_body(record[1], old[1]) then
    return false
  end
  local base, origin, hash, left = record[1], record[2], record[3], tonumber(record[9])
  if hash ~= '' then
    local body = base .. 'b:' .. hash
    redis.call('HSET', body, 'd', record[4], 'n', record[5], 'o:' .. origin, '')
    set_expiry(body, left)
  end
  if old[1] ~= hash then
    drop_body(base, origin, old[1])
  end
  local version = next_version(key, call)
  redis.call('HSET', key, 'v', version, 'm', record[6], 'f', record[7], 'u', record[8], 'b', hash)
  redis.call('PEXPIRE', key, string.format('%.0f', left))
  return true
end

local FIELDS = 9 -- of a record in the arguments

local function record_in(args, first)
  local record = {}
  for i = 1, FIELDS do
    record[i] = args[first + i - 1]
  end
  return record
end

-- Keys: the record, the lease. Arguments: 5 the fence of the lease or '', then the record.
-- Returns { now, 1 }, or { now, 0 } if the lease is no longer held.
local function put_function(keys, args)
  local call = begin(args)
  if args[5] ~= '' and not end_lease(keys[2], tonumber(args[5]), call) then
    return { call.now, 0 }
  end
  put_record(keys[1], record_in(args, 6), call, false)
  return { call.now, 1 }
end

-- Keys: the records. Arguments: 5 '1' to keep stored records that are newer, then the records.
-- Returns { now, how many were put }.
local function put_all_function(keys, args)
  local call = begin(args)
  for i, key in ipairs(keys) do -- a key of another kind ends the function before the first write
    local first = 6 + (i - 1) * FIELDS
    redis.call('HLEN', key)
    redis.call('HLEN', args[first] .. 'b:' .. args[first + 2])
  end
  local count = 0
  for i, key in ipairs(keys) do
    if put_record(key, record_in(args, 6 + (i - 1) * FIELDS), call, args[5] == '1') then
      count = count + 1
    end
  end
  return { call.now, count }
end

-- Keys: the record. Arguments: 5 the base of the site's keys, 6 the version that the caller has, or ''.
-- Returns { now }: there is none; { now, version }: it is that version; { now, version, fields, fetched_at,
-- fresh_until, hash of the body, the body, its size }.
local function read_function(keys, args)
  local now = begin(args).now
  local record = redis.call('HMGET', keys[1], 'v', 'm', 'f', 'u', 'b')
  if not record[1] then
    return { now }
  end
  if record[1] == args[6] then
    return { now, record[1] }
  end
  local body = { '', '0' }
  if record[5] ~= '' then
    body = redis.call('HMGET', args[5] .. 'b:' .. record[5], 'd', 'n')
    if not body[1] then
      return { now } -- the body was lost, so the record is of no use
    end
  end
  return { now, record[1], record[2], record[3], record[4], record[5], body[1], body[2] }
end

-- Keys: the record. Arguments: 5 fresh_until, 6 milliseconds to keep the record and its body, 7 the base of the site's
-- keys. Returns { now, 1 if there is one }.
local function refresh_function(keys, args)
  local call = begin(args)
  local hash = redis.call('HGET', keys[1], 'b')
  if not hash then
    return { call.now, 0 }
  end
  redis.call('HSET', keys[1], 'u', args[5], 'v', next_version(keys[1], call))
  set_expiry(keys[1], tonumber(args[6]))
  if hash ~= '' and has_body(args[7], hash) then
    set_expiry(args[7] .. 'b:' .. hash, tonumber(args[6]))
  end
  return { call.now, 1 }
end

local function erase_record(key, base, origin)
  local hash = redis.call('HGET', key, 'b')
  if not hash then
    return false
  end
  drop_body(base, origin, hash)
  redis.call('UNLINK', key)
  return true
end

-- Keys: the record, the lease. Arguments: 5 the base of the site's keys, 6 the origin, 7 null, or the time before which
-- a record must have been fresh, which has no lease. Returns { now, 1 if it was deleted }.
local function erase_function(keys, args)
  local call = begin(args)
  if args[7] ~= nil then
    local fresh_until = tonumber(redis.call('HGET', keys[1], 'u'))
    if fresh_until == nil or fresh_until >= tonumber(args[7]) or is_leased(read_lease(keys[2]), call) then
      return { call.now, 0 }
    end
  end
  return { call.now, erase_record(keys[1], args[5], args[6]) and 1 or 0 }
end

-- Keys: the lease. Arguments: 5 its length, 6 the number of this call of the owner, the same if the call is repeated
-- because its answer was lost, 7 the fence of a lease that the owner has lost, or '0'.
-- Returns { now, 1, fence, until }, or { now, 2, until } if another caller has it.
local function lease_function(keys, args)
  local call = begin(args)
  local lease = read_lease(keys[1])
  local is_own = lease[3] == call.owner
  if not (is_own and lease[1] == tonumber(args[7])) and is_leased(lease, call) then
    if is_own and lease[5] == args[6] then
      return { call.now, 1, lease[1], lease[2] }
    end
    return { call.now, 2, lease[2] }
  end
  local fence = max(lease[1] + 1, call.now)
  local time = call.now + tonumber(args[5])
  write_lease(keys[1], { fence, time, call.owner, call.lease, args[6] }, call.now)
  return { call.now, 1, fence, time }
end

-- Keys: the lease. Arguments: 5 its fence. Returns { now, 1 }, or { now, 0 } if it is no longer held.
local function release_function(keys, args)
  local call = begin(args)
  return { call.now, end_lease(keys[1], tonumber(args[5]), call) and 1 or 0 }
end

-- Keys: the hash of the store's settings. Arguments: 5 the name that the robot has now, 6 its new name.
-- Returns { now, 1 }, or { now, 0 } if it has another name.
local function rename_function(keys, args)
  local call = begin(args)
  if (redis.call('HGET', keys[1], 'agent') or '') ~= args[5] then
    return { call.now, 0 }
  end
  redis.call('HSET', keys[1], 'agent', args[6])
  return { call.now, 1 }
end

redis.register_function('robotrules_@ID@_put', put_function)
redis.register_function('robotrules_@ID@_put_all', put_all_function)
register_for_full('read', read_function)
register_for_full('refresh', refresh_function)
register_for_full('erase', erase_function)
redis.register_function('robotrules_@ID@_lease', lease_function)
register_for_full('release', release_function)
redis.register_function('robotrules_@ID@_rename', rename_function)

#!lua name=robotrules_@ID@
-- guard.lua: what this server process knows about itself and about the owners of holds.
--
-- The tables below are in the memory of the server process and in no key: a process that was restarted, a replica that
-- was promoted and a server that has loaded another data set begin with empty ones. So they tell that writes may have
-- been lost. FLUSHALL, FLUSHDB and SWAPDB keep them; a key of the data set, the epoch, is missing or another one then.
-- This file, gate_row.lua, gate.lua and records.lua are joined to one library of functions.
--
-- Times are microseconds since 1970. Lua's numbers hold them exactly up to the year 2255.

local max, min, floor -- of Lua's math, which is not there while the library is loaded: begin() sets them

local NEVER = -9007199254740992 -- in place of a time: there is none
local SILENCE = 1000000 -- after a longer time without any call, this process may have been replaced meanwhile
local FORGOTTEN = 600000000 -- when the names of abandoned calls and of ended owners are removed, at the earliest
local SWEEP = 60000000 -- the time between two searches for owners that are forgotten

-- The state of this process for one store:
--   seen        the last call
--   mark        nothing is known about visits before this time; NEVER: all visits are known
--   loss        when this process has last lost writes, perhaps
--   owners      owner → until when it counts as alive
--   abandoned   call → true: the caller gave it up; abandoned_before: the same for older ones
--   replid      the server's replication id; a promotion changes it
--   replicated  a replica was attached, so this process can be replaced
--   epoch_key   one server: the key of the epoch; null in a cluster, where `touch` gets one in a slot of this node
--   epochs      key → the epoch that it had
--   size        a cluster: the number of keys at the last call; `touch` alone may read the epoch, and a call before it
--               must notice too that the keys were deleted
local nodes = {}

local function server_time()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- Returns the replication id and the number of replicas.
local function replication()
  local info = redis.call('INFO', 'replication')
  return string.match(info, 'master_replid:(%x+)'), tonumber(string.match(info, 'connected_slaves:(%d+)')) or 0
end

local function new_node(name, now, real)
  local is_cluster = string.sub(name, 1, 8) == 'cluster/'
  return {
    mark = now, loss = real, seen = real, swept = real, swapped = real, owners = {}, abandoned = {},
    abandoned_before = {},
    is_cluster = is_cluster, epoch_key = not is_cluster and string.match(name, '/(.*)$') .. ':{all}:e' or nil,
    epochs = {}, size = is_cluster and redis.call('DBSIZE') or 0,
  }
end

-- A frozen master that has no replica and never had one cannot have been replaced, and it has lost nothing.
local function may_be_replaced(node)
  local replid, replicas = replication()
  return node.is_cluster or node.replicated or replicas > 0 or replid ~= node.replid
end

-- Writes may have been lost.
local function lose(node, now, real)
  node.mark, node.loss = now, real
end

-- Nothing was heard for a while, or the clock has jumped: that time does not count against the owners.
local function end_silence(node, silence, now, real)
  for owner, time in pairs(node.owners) do
    node.owners[owner] = time + silence
  end
  if may_be_replaced(node) then
    lose(node, now, real)
  end
end

-- Notices that the keys were deleted or exchanged. The epoch of the data set stays as it is if it has one: several
-- versions of this library read it.
local function check_epoch(node, key, call)
  local stored = redis.call('GET', key)
  local known = node.epochs[key]
  if stored and stored == known then
    return
  end
  if not stored then
    stored = string.format('%.0f:%s', call.real, call.owner)
    redis.call('SET', key, stored)
  end
  if known then
    lose(node, call.now, call.real)
  end
  node.epochs[key] = stored
end

-- Notices in a cluster that most keys were deleted since the last call. Calls are frequent, so nothing else deletes that
-- many between two of them; if it does, each site waits for its interval once more.
local function check_size(node, now, real)
  local size = redis.call('DBSIZE')
  if size * 2 < node.size then
    lose(node, now, real)
  end
  node.size = size
end

-- Begins a call and returns { now, real, node, owner, lease }. Arguments 1 to 4 of every function are: the store's
-- name on this server ("DATABASE/PREFIX" or "cluster/PREFIX"); the owner's name; how long the owner counts as alive
-- without another call; a time that replaces the server's in tests, or ''.
local function begin(args)
  max, min, floor = math.max, math.min, math.floor
  local real = server_time()
  local now = tonumber(args[4]) or real
  local node = nodes[args[1]]
  if node == nil then
    node = new_node(args[1], now, real)
    nodes[args[1]] = node
  elseif real - node.seen > SILENCE or real < node.seen then
    end_silence(node, real - node.seen, now, real)
  end
  if node.is_cluster then
    check_size(node, now, real)
  end
  node.seen = real
  node.mark = min(node.mark, now)
  local call = { now = now, real = real, node = node, owner = args[2], lease = tonumber(args[3]) }
  node.owners[call.owner] = real + call.lease
  if node.epoch_key then
    check_epoch(node, node.epoch_key, call)
  end
  return call
end

-- An owner that this process has not heard of gets the time of a lease to call, from the first look on: in a cluster,
-- it may learn late that its slot is here now. An owner with another version of this library (the name of an owner
-- begins with the version) calls other functions, so nothing is known about it: its holds last until they expire.
local function has_ended(call, owner, lease)
  if string.sub(owner, 1, 9) ~= '@ID@:' then
    return false
  end
  local owners = call.node.owners
  if owners[owner] == nil then
    owners[owner] = call.real + lease
  end
  return owners[owner] <= call.real
end

local function abandon(call, serial)
  call.node.abandoned[call.owner .. ' ' .. serial] = true
end

local function is_abandoned(call, serial)
  local name = call.owner .. ' ' .. serial
  return call.node.abandoned[name] ~= nil or call.node.abandoned_before[name] ~= nil
end

local function forget(node, real)
  if real - node.swapped > FORGOTTEN or real < node.swapped then
    node.swapped, node.abandoned_before, node.abandoned = real, node.abandoned, {}
  end
  if real - node.swept < SWEEP and real >= node.swept then
    return
  end
  node.swept = real
  for owner, time in pairs(node.owners) do
    if time + FORGOTTEN < real then
      node.owners[owner] = nil
    end
  end
end

-- Tells that the owner is alive, and notices a promotion. Every process calls it four times a second.
-- Keys: in a cluster, the epoch; none if its slot is being moved. Argument 5: '1' if the store was made by this caller
-- and there was none before it, '0' otherwise, 'end' if the owner ends.
-- Returns now, the mark, the number of replicas and when this process has last lost writes, perhaps.
local function touch(keys, args)
  local is_new = nodes[args[1]] == nil
  local call = begin(args)
  local node = call.node
  local replid, replicas = replication()
  if node.replid ~= nil and node.replid ~= replid then
    lose(node, call.now, call.real)
    node.owners = { [call.owner] = call.real + call.lease }
  end
  node.replid = replid
  node.replicated = node.replicated or replicas > 0
  if keys[1] then
    check_epoch(node, keys[1], call)
  end
  if is_new and args[5] == '1' then
    node.mark = NEVER
  elseif args[5] == 'end' then
    node.owners[call.owner] = call.real
  end
  forget(node, call.real)
  return { call.now, node.mark, replicas, node.loss }
end

-- Registers a function that a server without room for more takes too.
local function register_for_full(name, callback)
  redis.register_function({ function_name = 'robotrules_@ID@_' .. name, callback = callback, flags = { 'allow-oom' } })
end

register_for_full('touch', touch)

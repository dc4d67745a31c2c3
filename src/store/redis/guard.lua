#!lua name=robotrules_@ID@
-- guard.lua: what this server process knows about itself and about the owners of holds.
--
-- The tables below are in the memory of the server process and in no key: a process that was restarted, a replica that
-- was promoted and a server that has loaded another data set begin with empty ones. So they tell that writes may have
-- been lost. This file, gate.lua and records.lua are joined to one library of functions.
--
-- Times are microseconds since 1970. Lua's numbers hold them exactly up to the year 2255.

local max, min, floor -- of Lua's math, which is not there while the library is loaded: begin() sets them

local NEVER = -9007199254740992 -- in place of a time: there is none
local SILENCE = 1000000 -- after a longer time without any call, this process may have been replaced meanwhile
local FORGOTTEN = 600000000 -- when the names of abandoned calls and of ended owners are removed

-- The state of this process for one store, by the store's prefix:
--   started    since when it hears from the owners
--   seen       the last call
--   mark       nothing is known about visits before this time; NEVER: all visits are known
--   owners     owner → until when it counts as alive
--   abandoned  call → when the caller gave it up
--   replid     the server's replication id; a promotion changes it
local nodes = {}

local function server_time()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local function restart(node, now, real)
  node.started = real
  node.mark = now
  node.owners = {}
end

-- Begins a call and returns { now, real, node, owner, lease }. Arguments 1 to 4 of every function are: the store's
-- prefix; the owner's name; how long the owner counts as alive without another call; a time that replaces the server's
-- in tests, or ''.
local function begin(args)
  max, min, floor = math.max, math.min, math.floor
  local real = server_time()
  local now = tonumber(args[4]) or real
  local node = nodes[args[1]]
  if node == nil then
    node = { abandoned = {} }
    restart(node, now, real)
    nodes[args[1]] = node
  elseif real - node.seen > SILENCE or real < node.seen then
    restart(node, now, real)
  end
  node.seen = real
  node.mark = min(node.mark, now)
  local lease = tonumber(args[3])
  node.owners[args[2]] = real + lease
  return { now = now, real = real, node = node, owner = args[2], lease = lease }
end

-- An owner that was not heard of since this process started gets the time of a lease to call. An owner with another
-- version of this library (the name of an owner begins with the version) calls other functions, so nothing is known
-- about it: its holds last until they expire.
local function has_ended(call, owner, lease)
  if string.sub(owner, 1, 9) ~= '@ID@:' then
    return false
  end
  return (call.node.owners[owner] or call.node.started + lease) <= call.real
end

-- Tells that the owner is alive, and notices a promotion. Every process calls it four times a second.
-- Argument 5: '1' if the store was made by this caller and there was none before it, '0' otherwise, 'end' if the owner
-- ends. Returns now, the mark and the number of replicas.
local function touch(_, args)
  local is_new = nodes[args[1]] == nil
  local call = begin(args)
  local node = call.node
  local info = redis.call('INFO', 'replication')
  local replid = string.match(info, 'master_replid:(%x+)')
  if node.replid ~= nil and node.replid ~= replid then
    restart(node, call.now, call.real)
    node.owners[call.owner] = call.real + call.lease
  end
  node.replid = replid
  if is_new and args[5] == '1' then
    node.mark = NEVER
  elseif args[5] == 'end' then
    node.owners[call.owner] = call.real
  end
  for owner, time in pairs(node.owners) do
    if time + FORGOTTEN < call.real then
      node.owners[owner] = nil
    end
  end
  for serial, time in pairs(node.abandoned) do
    if time + FORGOTTEN < call.real then
      node.abandoned[serial] = nil
    end
  end
  return { call.now, node.mark, tonumber(string.match(info, 'connected_slaves:(%d+)')) or 0 }
end

redis.register_function({ function_name = 'robotrules_@ID@_touch', callback = touch, flags = { 'allow-oom' } })

#!lua
-- Begins the log of a game.
-- KEYS: log, request ids, card.
-- ARGV: request id, card, milliseconds to keep the game (empty: for ever), channel, message, whether
-- replicas will be waited for (empty: no), entries...
local log, ids, card = KEYS[1], KEYS[2], KEYS[3]
local first = redis.call('LINDEX', log, 0)
if first then
  if ARGV[6] ~= '' then
    redis.call('LSET', log, 0, first) -- changes nothing, but replicas can be waited for
  end
  return {'exists', first}
end
redis.call('HLEN', ids) -- raises an error if the key holds something else
local expiring = ARGV[3] ~= '' and KEYS or {}
local allowed = redis.acl_check_cmd('RPUSH', log, '') and redis.acl_check_cmd('HSET', ids, '', '')
  and redis.acl_check_cmd('SET', card, '')
for _, key in ipairs(expiring) do
  allowed = allowed and redis.acl_check_cmd('PEXPIRE', key, '1')
end
if not allowed then
  return redis.error_reply('NOPERM this user may not write games')
end
-- Nothing is left that could fail: memory, role and disk were checked before the script began.
-- Lua passes on a few thousand arguments at most.
for from = 7, #ARGV, 1000 do
  redis.call('RPUSH', log, unpack(ARGV, from, math.min(from + 999, #ARGV)))
end
redis.call('HSET', ids, ARGV[1], 1)
redis.call('SET', card, ARGV[2])
for _, key in ipairs(expiring) do
  redis.call('PEXPIRE', key, ARGV[3])
end
redis.pcall('PUBLISH', ARGV[4], ARGV[5])
return {'done'}

#!lua
-- Appends one entry to the log of a game.
-- KEYS: log, request ids; card, if the entry ends the game.
-- ARGV: request id, version and digest that the log must end with, entry, channel, message, whether
-- replicas will be waited for (empty: no); card and milliseconds to keep the game (empty: for ever), if
-- the entry ends it.
local log, ids, card = KEYS[1], KEYS[2], KEYS[3]
local made = redis.call('HGET', ids, ARGV[1])
if made then
  if ARGV[7] ~= '' then
    redis.call('HSET', ids, ARGV[1], made) -- changes nothing, but replicas can be waited for
  end
  return {'repeated', tonumber(made)}
end
local version = redis.call('LLEN', log)
if version == 0 then
  return {'missing'}
end
local digest = string.sub(redis.call('LINDEX', log, -1), 2, 33)
if version .. '' ~= ARGV[2] or digest ~= ARGV[3] then
  return {'stale', version, digest}
end
local expiring = card and ARGV[9] ~= '' and KEYS or {}
local allowed = redis.acl_check_cmd('RPUSH', log, '') and redis.acl_check_cmd('HSET', ids, '', '')
  and (not card or redis.acl_check_cmd('SET', card, ''))
for _, key in ipairs(expiring) do
  allowed = allowed and redis.acl_check_cmd('PEXPIRE', key, '1')
end
if not allowed then
  return redis.error_reply('NOPERM this user may not write games')
end
-- Nothing is left that could fail: memory, role and disk were checked before the script began.
redis.call('RPUSH', log, ARGV[4])
redis.call('HSET', ids, ARGV[1], version + 1)
if card then
  redis.call('SET', card, ARGV[8])
end
for _, key in ipairs(expiring) do
  redis.call('PEXPIRE', key, ARGV[9])
end
redis.pcall('PUBLISH', ARGV[5], ARGV[6])
return {'done'}

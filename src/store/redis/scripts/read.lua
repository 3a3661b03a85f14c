#!lua flags=no-writes
-- Where the log of a game ends, and a part of it.
-- KEYS: log. ARGV: first and last index of the part.
local version = redis.call('LLEN', KEYS[1])
if version == 0 then
  return {'missing'}
end
local digest = string.sub(redis.call('LINDEX', KEYS[1], -1), 2, 33)
return {'log', version, digest, redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])}

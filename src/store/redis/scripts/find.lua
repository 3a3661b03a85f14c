#!lua
-- The version that a request made, written again, so that one can wait until replicas have it.
-- KEYS: request ids. ARGV: request id.
local made = redis.call('HGET', KEYS[1], ARGV[1])
if made then
  redis.call('HSET', KEYS[1], ARGV[1], made)
end
return made

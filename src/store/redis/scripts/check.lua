#!lua
-- Which of some commands the user may not run. Refused itself wherever writing scripts are.
-- ARGV: commands, each with arguments of the right number, between spaces.
local denied = {}
for _, line in ipairs(ARGV) do
  local words = {}
  for word in string.gmatch(line, '%S+') do
    words[#words + 1] = word
  end
  local known, allowed = pcall(redis.acl_check_cmd, unpack(words))
  if not (known and allowed) then
    denied[#denied + 1] = words[1]
  end
end
return denied

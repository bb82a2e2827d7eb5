/**
 * KEYS: pairs of the address, a place for each device, then the counts of the day. ARGV: pair, now, until, most of an
 * address, kept for so long, what lies at each place, then the most of each count. Answers 0 where there is no room for
 * one more.
 */
export const reservePair = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
for index = 4, #KEYS do
  if tonumber(redis.call('GET', KEYS[index]) or 0) >= tonumber(ARGV[index + 4]) then return 0 end
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], 86400000)
for index = 2, 3 do redis.call('SET', KEYS[index], ARGV[index + 4], 'PX', ARGV[5]) end
return 1
`

/**
 * KEYS: bytes of the pair, then the counts of the day. ARGV: bytes, frame and channel where it goes to another node and
 * else nothing, then the most of each key. Answers 0, and publishes nothing, once more than there may be were carried.
 */
export const carryFrame = `
local isOver = false
for index, key in ipairs(KEYS) do
  local carried = redis.call('INCRBY', key, ARGV[1])
  redis.call('PEXPIRE', key, 172800000)
  if carried > tonumber(ARGV[index + 3]) then isOver = true end
end
if isOver then return 0 end
if ARGV[3] ~= '' then redis.call('PUBLISH', ARGV[3], ARGV[2]) end
return 1
`

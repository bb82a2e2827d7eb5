/**
 * KEYS: pairs of the address, bytes of the day, a place for each device, bytes of the payer and of all without an account.
 * ARGV: pair, now, until, most of an address, most bytes of a day, kept for so long, what lies at each place, most bytes
 * of the payer and of all without an account. Answers 0 where there is no room for one more.
 */
export const reservePair = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
if tonumber(redis.call('GET', KEYS[2]) or 0) >= tonumber(ARGV[5]) then return 0 end
for index = 5, #KEYS do
  if tonumber(redis.call('GET', KEYS[index]) or 0) >= tonumber(ARGV[index + 4]) then return 0 end
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], 86400000)
for index = 3, 4 do redis.call('SET', KEYS[index], ARGV[index + 4], 'PX', ARGV[6]) end
return 1
`

/**
 * KEYS: bytes of the pair, of the day, of the payer, and of all without an account where it has none. ARGV: bytes, the most
 * of each of the four, frame and channel where it goes to another node. Answers 0, and publishes nothing, once more than
 * there may be were carried.
 */
export const carryFrame = `
local isOver = false
for index, key in ipairs(KEYS) do
  local carried = redis.call('INCRBY', key, ARGV[1])
  redis.call('PEXPIRE', key, 172800000)
  if carried > tonumber(ARGV[index + 1]) then isOver = true end
end
if isOver then return 0 end
if ARGV[7] then redis.call('PUBLISH', ARGV[7], ARGV[6]) end
return 1
`

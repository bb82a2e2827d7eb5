/**
 * KEYS: pairs of the address, a ticket for each device, then the counters of the day. ARGV: pair, now, until, maximum
 * of pairs per address, ticket lifetime, content of each ticket, then the maximum of each counter. Returns 0 when a
 * maximum is reached.
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
 * KEYS: bytes of the pair, then the counters of the day. ARGV: bytes, frame and channel when it goes to another node
 * and else empty strings, then the maximum of each key. Returns 0, and publishes nothing, once a maximum is exceeded.
 */
export const countFrame = `
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

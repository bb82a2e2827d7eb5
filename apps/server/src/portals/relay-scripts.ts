/**
 * KEYS: pairs of the address, bytes of the day, a place for each device. ARGV: pair, now, until, most of an address, most
 * bytes of a day, kept for so long, what lies at each place. Answers 0 where there is no room for one more.
 */
export const reservePair = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
if tonumber(redis.call('GET', KEYS[2]) or 0) >= tonumber(ARGV[5]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], 86400000)
for index = 3, 4 do redis.call('SET', KEYS[index], ARGV[index + 4], 'PX', ARGV[6]) end
return 1
`

/**
 * KEYS: bytes of the pair, bytes of the day. ARGV: bytes, most of a pair, most of a day, frame and channel where it goes to
 * another node. Answers 0, and says nothing, once more than there may be were carried.
 */
export const carryFrame = `
local pair = redis.call('INCRBY', KEYS[1], ARGV[1])
local day = redis.call('INCRBY', KEYS[2], ARGV[1])
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, 172800000) end
if pair > tonumber(ARGV[2]) or day > tonumber(ARGV[3]) then return 0 end
if ARGV[5] then redis.call('PUBLISH', ARGV[5], ARGV[4]) end
return 1
`

/**
 * The atomic operations in Redis. A room is stored under its code; the codes that share their first two digits are in
 * one sorted set with their expiry times, and so are the codes of an address and of each wider network.
 */

/**
 * KEYS: room, codes, codes of each source, all rooms with prefixes of two digits. ARGV: record, code, now, until,
 * lifetime, maximum of rooms with prefixes of two digits, number of sources, maximum of each source, deliveries.
 */
export const openRoom = `
local code, sources = ARGV[2], tonumber(ARGV[7])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[3])
for index = 1, sources do
  redis.call('ZREMRANGEBYSCORE', KEYS[2 + index], '-inf', ARGV[3])
  if redis.call('ZCARD', KEYS[2 + index]) >= tonumber(ARGV[7 + index]) then return 'full' end
end
if #code == 2 and redis.call('EXISTS', unpack(KEYS, 3 + sources)) >= tonumber(ARGV[6]) then return 'many' end
for _, other in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local begins = other:sub(1, #code) == code or code:sub(1, #other) == other
  if other == code or (begins and #code ~= 4 and #other ~= 4) then return 'taken' end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[5])
for index = 2, 2 + sources do
  redis.call('ZADD', KEYS[index], ARGV[4], code)
  redis.call('PEXPIRE', KEYS[index], ARGV[5])
end
for index = 8 + sources, #ARGV, 2 do redis.call('PUBLISH', ARGV[index], ARGV[index + 1]) end
return 'open'
`

/**
 * KEYS: room, codes, codes of each source. ARGV: previous record, new record or empty, code, deliveries. Returns 0 when
 * the record has changed meanwhile.
 */
export const changeRoom = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
  for index = 2, #KEYS do redis.call('ZREM', KEYS[index], ARGV[3]) end
elseif ARGV[2] ~= ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
end
for index = 4, #ARGV, 2 do redis.call('PUBLISH', ARGV[index], ARGV[index + 1]) end
return 1
`

/** KEYS as above. ARGV: code, until, lifetime. */
export const renewRoom = `
if redis.call('PEXPIRE', KEYS[1], ARGV[3]) == 0 then return redis.call('ZREM', KEYS[2], ARGV[1]) end
for index = 2, #KEYS do
  redis.call('ZADD', KEYS[index], ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[index], ARGV[3])
end
`

/** KEYS: sets of codes. Returns each code followed by its expiry time. */
export const listCodes = `
local all = {}
for _, key in ipairs(KEYS) do
  for _, part in ipairs(redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')) do all[#all + 1] = part end
end
return all
`

/**
 * KEYS: nodes, sweep lock. ARGV: node, now, until, and the duration of the sweep lock if the node wants it. Returns
 * whether the lease was still valid, whether the node has acquired the sweep lock, and the live nodes.
 */
export const renewNodeLease = `
local before = redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
local turn = ARGV[4] and redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[4])
return {
  (before and tonumber(before) > tonumber(ARGV[2])) and 1 or 0,
  turn and 1 or 0,
  redis.call('ZRANGE', KEYS[1], 0, -1)
}
`

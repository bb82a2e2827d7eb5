import { portalRoomLimits } from '@sallyport/contract/limits'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addressBlock } from '../http/address.ts'
import { openRedis } from '../redis/redis.ts'
import { useRedis } from '../testing/redis-server.ts'
import { roomSources } from './callers.ts'
import { createLocalRooms } from './local-rooms.ts'
import { createRedisRooms } from './redis-rooms.ts'
import { noArrivals } from './room.rules.ts'
import type { Rooms } from './rooms.ts'

const redis = useRedis()
const silent = { info: () => undefined, warn: () => undefined }

async function redisRooms(): Promise<Rooms> {
  const shared = await openRedis({ url: redis.url, log: silent })
  onTestFinished(shared.close)
  return (await createRedisRooms({ redis: shared, now: Date.now })).rooms
}

/** Opens a room from an address; null where none is given. */
async function open(rooms: Rooms, address: string, version: 1 | 2 = 2): Promise<string | null> {
  let code = ''
  const sources = roomSources(addressBlock(address), (text) => `hash of ${text}`)
  const isOpen = await rooms.open({ version, sources }, (drawn) => {
    code = drawn
    const creator = { id: `${drawn}.creator`, name: 'Laptop', resume: null, awaySince: null }
    const beginning = { openedAt: Date.now(), isLinkOnly: false, arrivals: noArrivals }
    const room = { code, version, n: null, ...beginning, creator, joiner: null } as const
    const keys = sources.map(({ key }) => key)
    return { kept: { room, address: keys[0] ?? '', sources: keys, seats: { creator: null, joiner: null } }, words: [] }
  })
  return isOpen ? code : null
}

async function openMany(rooms: Rooms, addresses: readonly string[], each: number): Promise<(string | null)[]> {
  const codes: (string | null)[] = []
  for (const address of addresses) for (let count = 0; count < each; count += 1) codes.push(await open(rooms, address))
  return codes
}

const given = (codes: readonly (string | null)[]): string[] => codes.filter((code) => code !== null)

describe.each([
  { keeper: 'one process', create: async () => createLocalRooms() },
  { keeper: 'Redis', create: redisRooms },
])('rooms kept by $keeper', ({ create }) => {
  test('POR-03 a visitor gets a code while a hundred addresses hold as many as they may', async () => {
    const rooms = await create()
    const crowd = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`)
    const codes = given(await openMany(rooms, crowd, portalRoomLimits.openRoomsPerAddress))
    expect(codes).toHaveLength(1000)
    expect(codes.filter((code) => code.length === 2)).toHaveLength(portalRoomLimits.shortPrefixes)

    const ofVisitor = await openMany(rooms, ['203.0.113.5'], portalRoomLimits.openRoomsPerAddress)

    for (const code of ofVisitor) expect(code).toMatch(/^[1-9]\d{3}$/)
    expect(await open(rooms, '203.0.113.5'), 'and no more than the limit').toBe(null)
    expect(await open(rooms, '203.0.113.6', 1), 'a legacy room').toMatch(/^[1-9]\d{5}$/)
  })

  test('T198 the rooms of an IPv6 network count together by /56 and by /48, and others notice nothing', async () => {
    const rooms = await create()
    const { 56: most56, 48: most48 } = portalRoomLimits.openRoomsPerBlock
    const one56 = Array.from({ length: 256 }, (_, index) => `2001:db8:1:${(0x100 + index).toString(16)}::1`)
    const codes = given(await openMany(rooms, one56.slice(0, 10), portalRoomLimits.openRoomsPerAddress))
    expect(codes).toHaveLength(most56)

    const other56s = Array.from({ length: 10 }, (_, index) => `2001:db8:1:${(0x200 + 0x100 * index).toString(16)}::1`)
    const rest = given(await openMany(rooms, other56s, portalRoomLimits.openRoomsPerAddress))

    expect(rest).toHaveLength(most48 - most56)
    expect(await open(rooms, '2001:db8:2:100::1')).not.toBe(null)
    await rooms.change(codes[0] ?? '', () => ({ kept: null, words: [] }))
    expect(await open(rooms, one56[200] ?? ''), 'one that closes makes room').not.toBe(null)
  })
})

import { portalRoomLimits } from '@sallyport/contract/limits'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../platform/db/open.ts'
import { addressBlock } from '../../platform/http/address.ts'
import { openRedis } from '../../platform/redis/redis.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { createTestFolder } from '../../testing/test-folder.ts'
import { roomSources } from './caller-limits.ts'
import { createLocalRoomStore } from './local-room-store.ts'
import { createPortalRoomsStore } from './portal-rooms.store.ts'
import { createRedisRoomStore } from './redis-room-store.ts'
import { noArrivals } from './room.rules.ts'
import type { RoomStore } from './room-store.ts'

const redis = useRedis()
const silent = { info: () => undefined, warn: () => undefined }

async function createRedisStore(): Promise<RoomStore> {
  const shared = await openRedis({ url: redis.url, log: silent })
  onTestFinished(shared.close)
  return (await createRedisRoomStore({ redis: shared, now: Date.now })).rooms
}

async function createLocalStore(): Promise<RoomStore> {
  const { db, close } = await openDatabase({
    databaseUrl: undefined,
    folder: createTestFolder(),
    onError: () => undefined,
  })
  onTestFinished(close)
  return createLocalRoomStore({ saved: createPortalRoomsStore(db), now: Date.now })
}

/** Opens a room from an address; null when none is granted. */
async function open(rooms: RoomStore, address: string, version: 1 | 2 = 2): Promise<string | null> {
  let code = ''
  const sources = roomSources(addressBlock(address), (text) => `hash of ${text}`)
  const isOpen = await rooms.create({ version, sources }, (candidate) => {
    code = candidate
    const creator = { id: `${candidate}.creator`, name: 'Laptop', resume: null, awaySince: null }
    const initial = { openedAt: Date.now(), isLinkOnly: false, arrivals: noArrivals }
    const room = { code, version, n: null, ...initial, creator, joiner: null } as const
    const keys = sources.map(({ key }) => key)
    return {
      record: { room, address: keys[0] ?? '', sources: keys, seats: { creator: null, joiner: null } },
      deliveries: [],
    }
  })
  return isOpen ? code : null
}

async function openMany(rooms: RoomStore, addresses: readonly string[], each: number): Promise<(string | null)[]> {
  const codes: (string | null)[] = []
  for (const address of addresses) for (let count = 0; count < each; count += 1) codes.push(await open(rooms, address))
  return codes
}

const granted = (codes: readonly (string | null)[]): string[] => codes.filter((code) => code !== null)

describe.each([
  { storage: 'one process', create: createLocalStore },
  { storage: 'Redis', create: createRedisStore },
])('rooms in $storage', ({ create }) => {
  test('POR-03 a visitor gets a code while 100 addresses hold their maximum of rooms', async () => {
    const rooms = await create()
    const addresses = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`)
    const codes = granted(await openMany(rooms, addresses, portalRoomLimits.openRoomsPerAddress))
    expect(codes).toHaveLength(1000)
    expect(codes.filter((code) => code.length === 2)).toHaveLength(portalRoomLimits.shortPrefixes)

    const ofVisitor = await openMany(rooms, ['203.0.113.5'], portalRoomLimits.openRoomsPerAddress)

    for (const code of ofVisitor) expect(code).toMatch(/^[1-9]\d{3}$/)
    expect(await open(rooms, '203.0.113.5'), 'no more than the limit').toBe(null)
    expect(await open(rooms, '203.0.113.6', 1), 'a legacy room').toMatch(/^[1-9]\d{5}$/)
  })

  test('T198 the rooms of an IPv6 network count by /56 and by /48, and other networks are unaffected', async () => {
    const rooms = await create()
    const { 56: most56, 48: most48 } = portalRoomLimits.openRoomsPerBlock
    const one56 = Array.from({ length: 256 }, (_, index) => `2001:db8:1:${(0x100 + index).toString(16)}::1`)
    const codes = granted(await openMany(rooms, one56.slice(0, 10), portalRoomLimits.openRoomsPerAddress))
    expect(codes).toHaveLength(most56)

    const other56s = Array.from({ length: 10 }, (_, index) => `2001:db8:1:${(0x200 + 0x100 * index).toString(16)}::1`)
    const rest = granted(await openMany(rooms, other56s, portalRoomLimits.openRoomsPerAddress))

    expect(rest).toHaveLength(most48 - most56)
    expect(await open(rooms, '2001:db8:2:100::1')).not.toBe(null)
    await rooms.update(codes[0] ?? '', () => ({ record: null, deliveries: [] }))
    expect(await open(rooms, one56[200] ?? ''), 'closing a room frees its count').not.toBe(null)
  })
})

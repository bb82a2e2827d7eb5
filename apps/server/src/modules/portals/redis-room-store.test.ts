import { portalRoomLimits } from '@sallyport/contract/limits'
import { expect, onTestFinished, test } from 'vitest'
import { openRedis } from '../../platform/redis/redis.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { createRedisRoomStore } from './redis-room-store.ts'
import { join, noArrivals } from './room.rules.ts'
import { type RoomRecord, sweepRecord, toRoomChange } from './room-record.rules.ts'
import type { RoomStore } from './room-store.ts'

const server = useRedis()
const silent = { info: () => undefined, warn: () => undefined }
const minute = 60_000

/** Nodes with one clock under control of the test. */
async function nodes(count: number) {
  const clock = { now: 1_800_000_000_000 }
  const start = async () => {
    const redis = await openRedis({ url: server.url, log: silent })
    onTestFinished(redis.close)
    const { rooms } = await createRedisRoomStore({ redis, now: () => clock.now })
    const losses = { count: 0 }
    rooms.subscribe(
      () => undefined,
      () => {
        losses.count += 1
      },
    )
    return { rooms, losses, close: redis.close }
  }
  const all = await Promise.all(Array.from({ length: count }, start))
  const roomsOf = (index: number) => (all[index % count] as (typeof all)[number]).rooms
  return { clock, all, roomsOf }
}

const device = (id: string, resume: string | null) => ({ id, name: id, resume, awaySince: null })

async function open(rooms: RoomStore, now: number, address = 'home'): Promise<string> {
  let code = ''
  const isOpen = await rooms.create({ version: 2, sources: [{ key: address, maxRooms: 1000 }] }, (candidate) => {
    code = candidate
    const creator = device(`${candidate}.creator`, 'hash')
    const initial = { openedAt: now, isLinkOnly: false, arrivals: noArrivals }
    const room = { code, version: 2, n: 'n', ...initial, creator, joiner: null } as const
    const seat = { node: rooms.node, line: 'a connection' }
    return { record: { room, address, sources: [address], seats: { creator: seat, joiner: null } }, deliveries: [] }
  })
  return isOpen ? code : ''
}

test('POR-03 of 120 rooms that 3 nodes open concurrently 60 get 2 digits and 60 get 4, all distinct', async () => {
  const { clock, roomsOf } = await nodes(3)

  const codes = await Promise.all(Array.from({ length: 120 }, (_, index) => open(roomsOf(index), clock.now)))

  expect(codes.every((code) => /^[1-9](\d|\d{3})$/.test(code))).toBe(true)
  expect(codes.filter((code) => code.length === 2).length).toBe(portalRoomLimits.shortPrefixes)
  expect(new Set(codes).size).toBe(120)
})

test('POR-10 of 30 concurrent joins over all nodes exactly one succeeds', async () => {
  const { clock, roomsOf } = await nodes(3)
  const code = await open(roomsOf(0), clock.now)
  const enter = (rooms: RoomStore, id: string) =>
    rooms.update(code, (record) => {
      const px = { mode: 'pin', y: id, ad: 'a' } as const
      const step = join(record.room, { id, deviceName: id, resume: 'r', resumeHash: 'hash', tail: '', px }, clock.now)
      return step && toRoomChange(record, step)
    })

  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => enter(roomsOf(index), `${index}`)))

  expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(1)
  expect(answers.filter((answer) => answer === 'left')).toHaveLength(29)
})

test('a node that does not renew its lease loses its connections, and is notified when it renews again', async () => {
  const { clock, all, roomsOf } = await nodes(2)
  const [silentNode, other] = all
  const code = await open(roomsOf(0), clock.now)
  const dueAt = async () => {
    await server.query((commands) => commands.del('sallyport:portal:turn'))
    const round = await roomsOf(1).beginSweep()
    const record = round?.rooms.find(({ room }) => room.code === code)
    return record && round ? sweepRecord(record, clock.now, round.isNodeAlive) : undefined
  }

  clock.now += portalRoomLimits.nodeLeaseMs - 1
  expect(await dueAt()).toBeNull()
  clock.now += 1
  const outcome = await dueAt()

  expect(outcome?.record?.room.creator.awaySince).toBe(clock.now)
  expect(outcome?.record?.seats).toEqual({ creator: null, joiner: null })
  expect(silentNode?.losses.count).toBe(0)
  await silentNode?.rooms.beginSweep()
  expect([silentNode?.losses.count, other?.losses.count]).toEqual([1, 0])
})

test('one node at a time sweeps the rooms, and renews those it finds', async () => {
  const { clock, all, roomsOf } = await nodes(2)
  const code = await open(roomsOf(0), clock.now)
  const ttl = () => server.query((commands) => commands.pttl(`sallyport:portal:room:${code}`))
  await server.query((commands) => commands.pexpire(`sallyport:portal:room:${code}`, minute))
  clock.now += portalRoomLimits.orphanedRoomMs / 2

  const rounds = await Promise.all(all.map(({ rooms }) => rooms.beginSweep()))

  expect(rounds.filter((round) => round !== null)).toHaveLength(1)
  expect(rounds.find((round) => round !== null)?.rooms.map(({ room }: RoomRecord) => room.code)).toEqual([code])
  expect(await ttl()).toBeGreaterThan(portalRoomLimits.orphanedRoomMs - minute)
})

test('a room that no node renews expires, with its code and its count for the address', async () => {
  const { clock, roomsOf } = await nodes(1)
  const rooms = roomsOf(0)
  const code = await open(rooms, clock.now)
  const keys = await server.query((commands) => commands.keys('*'))
  const lifetimes = await Promise.all(keys.map((key) => server.query((commands) => commands.pttl(key))))
  expect(keys.filter((_, index) => (lifetimes[index] ?? 0) < 0)).toEqual(['sallyport:portal:nodes'])

  clock.now += portalRoomLimits.orphanedRoomMs + 1
  await server.query((commands) => commands.del(`sallyport:portal:room:${code}`))

  expect(await rooms.listCodes(code.slice(0, 2))).toEqual(new Set())
  expect(await rooms.update(code, () => null)).toBe('missing')
  const request = { version: 2, sources: [{ key: 'home', maxRooms: 1 }] } as const
  expect(await rooms.create(request, () => ({ record: null, deliveries: [] }))).toBe(true)
})

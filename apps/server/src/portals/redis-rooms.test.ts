import { portalRoomLimits } from '@sallyport/contract/limits'
import { expect, onTestFinished, test } from 'vitest'
import { openRedis } from '../redis/redis.ts'
import { useRedis } from '../testing/redis-server.ts'
import { type Kept, settle, tidy } from './kept.rules.ts'
import { createRedisRooms } from './redis-rooms.ts'
import { join, noArrivals } from './room.rules.ts'
import type { Rooms } from './rooms.ts'

const server = useRedis()
const silent = { info: () => undefined, warn: () => undefined }
const minute = 60_000

/** Nodes on one clock, which is moved by hand. */
async function nodes(count: number) {
  const clock = { now: 1_800_000_000_000 }
  const start = async () => {
    const redis = await openRedis({ url: server.url, log: silent })
    onTestFinished(redis.close)
    const { rooms } = await createRedisRooms({ redis, now: () => clock.now })
    const lost = { count: 0 }
    rooms.listen(
      () => undefined,
      () => {
        lost.count += 1
      },
    )
    return { rooms, lost, close: redis.close }
  }
  const all = await Promise.all(Array.from({ length: count }, start))
  const roomsOf = (index: number) => (all[index % count] as (typeof all)[number]).rooms
  return { clock, all, roomsOf }
}

const device = (id: string, resume: string | null) => ({ id, name: id, resume, awaySince: null })

async function open(rooms: Rooms, now: number, address = 'home'): Promise<string> {
  let code = ''
  const isOpen = await rooms.open({ version: 2, sources: [{ key: address, most: 1000 }] }, (drawn) => {
    code = drawn
    const creator = device(`${drawn}.creator`, 'hash')
    const beginning = { openedAt: now, isLinkOnly: false, arrivals: noArrivals }
    const room = { code, version: 2, n: 'n', ...beginning, creator, joiner: null } as const
    const seat = { node: rooms.node, line: 'a line' }
    return { kept: { room, address, sources: [address], seats: { creator: seat, joiner: null } }, words: [] }
  })
  return isOpen ? code : ''
}

test('POR-03 of 120 rooms that three nodes open at once 60 get two digits and 60 get four, each its own', async () => {
  const { clock, roomsOf } = await nodes(3)

  const codes = await Promise.all(Array.from({ length: 120 }, (_, index) => open(roomsOf(index), clock.now)))

  expect(codes.every((code) => /^[1-9](\d|\d{3})$/.test(code))).toBe(true)
  expect(codes.filter((code) => code.length === 2).length).toBe(portalRoomLimits.shortPrefixes)
  expect(new Set(codes).size).toBe(120)
})

test('POR-10 of many who join at once over all nodes exactly one gets in', async () => {
  const { clock, roomsOf } = await nodes(3)
  const code = await open(roomsOf(0), clock.now)
  const enter = (rooms: Rooms, id: string) =>
    rooms.change(code, (kept) => {
      const px = { mode: 'pin', y: id, ad: 'a' } as const
      const step = join(kept.room, { id, deviceName: id, resume: 'r', resumeHash: 'hash', tail: '', px }, clock.now)
      return step && settle(kept, step)
    })

  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => enter(roomsOf(index), `${index}`)))

  expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(1)
  expect(answers.filter((answer) => answer === 'left')).toHaveLength(29)
})

test('a node that is silent for longer than its lease has lost its places, and learns of it when it speaks again', async () => {
  const { clock, all, roomsOf } = await nodes(2)
  const [silentNode, other] = all
  const code = await open(roomsOf(0), clock.now)
  const dueAt = async () => {
    await server.ask((commands) => commands.del('sallyport:portal:turn'))
    const round = await roomsOf(1).round()
    const kept = round?.rooms.find(({ room }) => room.code === code)
    return kept && round ? tidy(kept, clock.now, round.isThere) : undefined
  }

  clock.now += portalRoomLimits.nodeLeaseMs - 1
  expect(await dueAt()).toBeNull()
  clock.now += 1
  const outcome = await dueAt()

  expect(outcome?.kept?.room.creator.awaySince).toBe(clock.now)
  expect(outcome?.kept?.seats).toEqual({ creator: null, joiner: null })
  expect(silentNode?.lost.count).toBe(0)
  await silentNode?.rooms.round()
  expect([silentNode?.lost.count, other?.lost.count]).toEqual([1, 0])
})

test('one node at a time looks through the rooms, and those it finds are kept for longer', async () => {
  const { clock, all, roomsOf } = await nodes(2)
  const code = await open(roomsOf(0), clock.now)
  const ttl = () => server.ask((commands) => commands.pttl(`sallyport:portal:room:${code}`))
  await server.ask((commands) => commands.pexpire(`sallyport:portal:room:${code}`, minute))
  clock.now += portalRoomLimits.roomKeptMs / 2

  const rounds = await Promise.all(all.map(({ rooms }) => rooms.round()))

  expect(rounds.filter((round) => round !== null)).toHaveLength(1)
  expect(rounds.find((round) => round !== null)?.rooms.map(({ room }: Kept) => room.code)).toEqual([code])
  expect(await ttl()).toBeGreaterThan(portalRoomLimits.roomKeptMs - minute)
})

test('a room that nobody tends is forgotten by itself, with its code and its place among those of its address', async () => {
  const { clock, roomsOf } = await nodes(1)
  const rooms = roomsOf(0)
  const code = await open(rooms, clock.now)
  const keys = await server.ask((commands) => commands.keys('*'))
  const lifetimes = await Promise.all(keys.map((key) => server.ask((commands) => commands.pttl(key))))
  expect(keys.filter((_, index) => (lifetimes[index] ?? 0) < 0)).toEqual(['sallyport:portal:nodes'])

  clock.now += portalRoomLimits.roomKeptMs + 1
  await server.ask((commands) => commands.del(`sallyport:portal:room:${code}`))

  expect(await rooms.codesBehind(code.slice(0, 2))).toEqual(new Set())
  expect(await rooms.change(code, () => null)).toBe('missing')
  const request = { version: 2, sources: [{ key: 'home', most: 1 }] } as const
  expect(await rooms.open(request, () => ({ kept: null, words: [] }))).toBe(true)
})

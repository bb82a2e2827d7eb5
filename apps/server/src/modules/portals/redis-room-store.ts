import { randomBytes, randomInt } from 'node:crypto'
import { portalLimits, portalRoomLimits } from '@sallyport/contract/limits'
import { prefix } from '../../platform/redis/prefix.ts'
import type { SharedRedis } from '../../platform/redis/redis.ts'
import { codesToTry } from './codes.rules.ts'
import type { Delivery, RoomRecord } from './room-record.rules.ts'
import { changeRoom, listCodes, openRoom, renewNodeLease, renewRoom } from './room-scripts.ts'
import type { RoomStore } from './room-store.ts'

interface RedisRoomStoreDeps {
  readonly redis: SharedRedis
  readonly now: () => number
}

const { sweepEveryMs } = portalLimits
const { orphanedRoomMs, nodeLeaseMs, shortPrefixes } = portalRoomLimits
const nodesKey = 'portal:nodes'
const codesKey = (code: string): string => `portal:codes:${code.slice(0, 2)}`
const roomKey = (code: string): string => `portal:room:${code}`
const keysOf = (code: string, sources: readonly string[]) => [
  roomKey(code),
  codesKey(code),
  ...sources.map((source) => `portal:rooms-of:${source}`),
]
const deliveryChannelOf = (node: string): string => `portal:lines:${node}`
const twoDigits = Array.from({ length: 90 }, (_, index) => String(10 + index))
const batchSize = 200
/** Concurrent changes of a room after which a step is given up. */
const maxAttempts = 50

/** The deliveries as a script publishes them: each channel followed by its message. */
const publishArgsOf = (deliveries: readonly Delivery[]): string[] =>
  deliveries.flatMap((delivery) => [prefix + deliveryChannelOf(delivery.to.node), JSON.stringify(delivery)])

/**
 * Stores rooms for all nodes, in Redis, so that they outlive each node. A change and its deliveries are one script, so
 * that all connections receive messages in the order of the changes.
 */
export async function createRedisRoomStore({ redis, now }: RedisRoomStoreDeps) {
  const node = randomBytes(9).toString('base64url')
  let onDelivery: (delivery: Delivery) => void = () => undefined
  let onConnectionsLost: () => void = () => undefined

  const runScript = (script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> =>
    redis.run((commands) => commands.eval(script, keys.length, ...keys, ...args))

  async function renewLease(...sweepLockMs: number[]) {
    const keys = [nodesKey, 'portal:turn']
    const args = [node, now(), now() + nodeLeaseMs, ...sweepLockMs]
    const [wasHeld, hasSweepLock, nodes] = (await runScript(renewNodeLease, keys, args)) as [number, number, string[]]
    return { wasHeld: wasHeld === 1, hasSweepLock: hasSweepLock === 1, nodes: new Set(nodes) }
  }

  /** The record as text, which a change is compared with. */
  const recordOf = (code: string): Promise<string | null> => redis.run((commands) => commands.get(roomKey(code)))

  /** Lists all rooms and renews those that expire soon. */
  async function listAll(): Promise<RoomRecord[]> {
    const listed = (await runScript(listCodes, twoDigits.map(codesKey), [])) as string[]
    const found: RoomRecord[] = []
    for (let start = 0; start < listed.length; start += 2 * batchSize) {
      const some = listed.slice(start, start + 2 * batchSize)
      const codes = some.filter((_, index) => index % 2 === 0)
      const records = await redis.run((commands) => commands.mget(codes.map(roomKey)))
      const parsed = records.map((record) => (record === null ? null : (JSON.parse(record) as RoomRecord)))
      const needsRenewal = (index: number) => Number(some[2 * index + 1]) < now() + (orphanedRoomMs * 2) / 3
      await Promise.all(
        codes
          .map((code, index) => ({ code, sources: parsed[index]?.sources ?? [], index }))
          .filter(({ index }) => parsed[index] === null || needsRenewal(index))
          .map(({ code, sources }) =>
            runScript(renewRoom, keysOf(code, sources), [code, now() + orphanedRoomMs, orphanedRoomMs]),
          ),
      )
      found.push(...parsed.filter((one) => one !== null))
    }
    return found
  }

  await redis.subscribe(deliveryChannelOf(node), (content) => onDelivery(JSON.parse(String(content)) as Delivery))
  redis.onResubscribed(() => onConnectionsLost())
  await renewLease()

  const rooms: RoomStore = {
    node,
    async create({ version, sources }, make) {
      const sourceKeys = sources.map(({ key }) => key)
      const limits = sources.map(({ maxRooms }) => maxRooms)
      let isShortExhausted = false
      for (const code of codesToTry(0, version, (below) => randomInt(below))) {
        if (isShortExhausted && code.length === 2) continue
        const { record, deliveries } = make(code)
        const expiry = [now(), now() + orphanedRoomMs, orphanedRoomMs]
        const keys = [...keysOf(code, sourceKeys), ...twoDigits.map(roomKey)]
        const counts = [shortPrefixes, limits.length, ...limits]
        const args = [JSON.stringify(record), code, ...expiry, ...counts, ...publishArgsOf(deliveries)]
        const answer = await runScript(openRoom, keys, args)
        if (answer === 'many') isShortExhausted = true
        else if (answer !== 'taken') return answer === 'open'
      }
      return false
    },
    async listCodes(digits) {
      return new Set(await redis.run((commands) => commands.zrangebyscore(codesKey(digits), now(), '+inf')))
    },
    async get(code) {
      const record = await recordOf(code)
      return record === null ? null : (JSON.parse(record) as RoomRecord)
    },
    async update(code, decide) {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const record = await recordOf(code)
        if (record === null) return 'missing'
        const before = JSON.parse(record) as RoomRecord
        const outcome = decide(before)
        if (!outcome) return 'left'
        const after = outcome.record === null ? '' : JSON.stringify(outcome.record)
        const args = [record, after, code, ...publishArgsOf(outcome.deliveries)]
        if ((await runScript(changeRoom, keysOf(code, before.sources), args)) === 1) return outcome
      }
      throw new Error('Gave up on a room after too many concurrent changes')
    },
    async beginSweep() {
      const { wasHeld, hasSweepLock, nodes } = await renewLease(Math.round(sweepEveryMs * 0.9))
      // Other nodes have removed the connections of this node, or Redis has lost them.
      if (!wasHeld) onConnectionsLost()
      return hasSweepLock ? { rooms: await listAll(), isNodeAlive: (other) => nodes.has(other) } : null
    },
    subscribe(deliver, connectionsLost) {
      onDelivery = deliver
      onConnectionsLost = connectionsLost
    },
  }

  return {
    node,
    rooms,
    /** The ids of the nodes whose lease is valid. */
    async nodes(): Promise<ReadonlySet<string>> {
      return new Set(await redis.run((commands) => commands.zrangebyscore(nodesKey, now(), '+inf')))
    },
  }
}

import { randomBytes, randomInt } from 'node:crypto'
import { portalLimits, portalRoomLimits } from '@sallyport/contract/limits'
import { prefix } from '../redis/prefix.ts'
import type { SharedRedis } from '../redis/redis.ts'
import { codesToTry } from './codes.rules.ts'
import type { Kept, Word } from './kept.rules.ts'
import { changeRoom, keepRoom, leaseNode, listCodes, openRoom } from './room-scripts.ts'
import type { Rooms } from './rooms.ts'

interface Parts {
  readonly redis: SharedRedis
  readonly now: () => number
}

const { sweepEveryMs } = portalLimits
const { roomKeptMs, nodeLeaseMs, shortPrefixes } = portalRoomLimits
const nodesKey = 'portal:nodes'
const codesKey = (code: string): string => `portal:codes:${code.slice(0, 2)}`
const roomKey = (code: string): string => `portal:room:${code}`
const keysOf = (code: string, sources: readonly string[]) => [
  roomKey(code),
  codesKey(code),
  ...sources.map((source) => `portal:rooms-of:${source}`),
]
const linesOf = (node: string): string => `portal:lines:${node}`
const twoDigits = Array.from({ length: 90 }, (_, index) => String(10 + index))
const roomsAtOnce = 200
/** Steps others took in the same room before one gives up. */
const mostTries = 50

/** Words as a script publishes them: channel after channel, each followed by what is said. */
const spoken = (words: readonly Word[]): string[] =>
  words.flatMap((word) => [prefix + linesOf(word.to.node), JSON.stringify(word)])

/**
 * Rooms that all nodes see, and that outlive each of them. A step and the words it brings are one script, so that they
 * reach every line in the order of the steps.
 */
export async function createRedisRooms({ redis, now }: Parts) {
  const node = randomBytes(9).toString('base64url')
  let hear: (word: Word) => void = () => undefined
  let lose: () => void = () => undefined

  const run = (script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> =>
    redis.ask((commands) => commands.eval(script, keys.length, ...keys, ...args))

  async function lease(...turn: number[]) {
    const keys = [nodesKey, 'portal:turn']
    const args = [node, now(), now() + nodeLeaseMs, ...turn]
    const [isKept, isTurn, nodes] = (await run(leaseNode, keys, args)) as [number, number, string[]]
    return { isKept: isKept === 1, isTurn: isTurn === 1, nodes: new Set(nodes) }
  }

  /** The room as text, which is what a change is compared with. */
  const recordOf = (code: string): Promise<string | null> => redis.ask((commands) => commands.get(roomKey(code)))

  /** All rooms; those that are kept for long from now on are kept for as long again. */
  async function all(): Promise<Kept[]> {
    const listed = (await run(listCodes, twoDigits.map(codesKey), [])) as string[]
    const found: Kept[] = []
    for (let start = 0; start < listed.length; start += 2 * roomsAtOnce) {
      const some = listed.slice(start, start + 2 * roomsAtOnce)
      const codes = some.filter((_, index) => index % 2 === 0)
      const records = await redis.ask((commands) => commands.mget(codes.map(roomKey)))
      const kept = records.map((record) => (record === null ? null : (JSON.parse(record) as Kept)))
      const isFading = (index: number) => Number(some[2 * index + 1]) < now() + (roomKeptMs * 2) / 3
      await Promise.all(
        codes
          .map((code, index) => ({ code, sources: kept[index]?.sources ?? [], index }))
          .filter(({ index }) => kept[index] === null || isFading(index))
          .map(({ code, sources }) => run(keepRoom, keysOf(code, sources), [code, now() + roomKeptMs, roomKeptMs])),
      )
      found.push(...kept.filter((one) => one !== null))
    }
    return found
  }

  await redis.follow(linesOf(node), (content) => hear(JSON.parse(String(content)) as Word))
  redis.onHearingAgain(() => lose())
  await lease()

  const rooms: Rooms = {
    node,
    async open({ version, sources }, make) {
      const sourceKeys = sources.map(({ key }) => key)
      const limits = sources.map(({ most }) => most)
      let isManyShort = false
      for (const code of codesToTry(0, version, (below) => randomInt(below))) {
        if (isManyShort && code.length === 2) continue
        const { kept, words } = make(code)
        const lasting = [now(), now() + roomKeptMs, roomKeptMs]
        const keys = [...keysOf(code, sourceKeys), ...twoDigits.map(roomKey)]
        const counts = [shortPrefixes, limits.length, ...limits]
        const args = [JSON.stringify(kept), code, ...lasting, ...counts, ...spoken(words)]
        const answer = await run(openRoom, keys, args)
        if (answer === 'many') isManyShort = true
        else if (answer !== 'taken') return answer === 'open'
      }
      return false
    },
    async codesBehind(digits) {
      return new Set(await redis.ask((commands) => commands.zrangebyscore(codesKey(digits), now(), '+inf')))
    },
    async read(code) {
      const record = await recordOf(code)
      return record === null ? null : (JSON.parse(record) as Kept)
    },
    async change(code, decide) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const record = await recordOf(code)
        if (record === null) return 'missing'
        const before = JSON.parse(record) as Kept
        const outcome = decide(before)
        if (!outcome) return 'left'
        const after = outcome.kept === null ? '' : JSON.stringify(outcome.kept)
        const args = [record, after, code, ...spoken(outcome.words)]
        if ((await run(changeRoom, keysOf(code, before.sources), args)) === 1) return outcome
      }
      throw new Error('a room changed too often to take a step in it')
    },
    async round() {
      const { isKept, isTurn, nodes } = await lease(Math.round(sweepEveryMs * 0.9))
      // Others have given the places of this node away, or Redis has forgotten them.
      if (!isKept) lose()
      return isTurn ? { rooms: await all(), isThere: (other) => nodes.has(other) } : null
    },
    listen(heard, lost) {
      hear = heard
      lose = lost
    },
  }

  return {
    node,
    rooms,
    /** The nodes that look after the lines they hold. */
    async nodes(): Promise<ReadonlySet<string>> {
      return new Set(await redis.ask((commands) => commands.zrangebyscore(nodesKey, now(), '+inf')))
    },
  }
}

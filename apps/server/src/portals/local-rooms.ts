import { randomInt } from 'node:crypto'
import { drawCode } from './codes.rules.ts'
import type { Kept, Outcome, Word } from './kept.rules.ts'
import type { Rooms } from './rooms.ts'

/** Rooms of one process, which forgets them when it ends. */
export function createLocalRooms(): Rooms {
  const rooms = new Map<string, Kept>()
  let hear: (word: Word) => void = () => undefined

  function take(code: string, { kept, words }: Outcome): void {
    if (kept) rooms.set(code, kept)
    else rooms.delete(code)
    for (const word of words) hear(word)
  }

  return {
    node: 'here',
    async open({ version, sources }, make) {
      const openRooms = (key: string) => [...rooms.values()].filter((kept) => kept.sources.includes(key)).length
      const hasRoom = sources.every(({ key, most }) => openRooms(key) < most)
      const code = hasRoom ? drawCode(new Set(rooms.keys()), version, (below) => randomInt(below)) : null
      if (code === null) return false
      take(code, make(code))
      return true
    },
    codesBehind: async (twoDigits) => new Set([...rooms.keys()].filter((code) => code.startsWith(twoDigits))),
    read: async (code) => rooms.get(code) ?? null,
    async change(code, decide) {
      const kept = rooms.get(code)
      const outcome = kept ? decide(kept) : null
      if (outcome) take(code, outcome)
      return outcome ?? (kept ? 'left' : 'missing')
    },
    round: async () => ({ rooms: [...rooms.values()], isThere: () => true }),
    listen(next) {
      hear = next
    },
  }
}

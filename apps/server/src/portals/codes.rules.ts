/**
 * A room is reached under a code: six digits where devices know only the basic protocol, the first two or three digits
 * where the rest stays between the devices. No code is the beginning of another one, so a typed number means one room.
 */
export type RoomVersion = 1 | 2

const attempts = 200
/** From here on two digits are left to those who have them, so that guessing one seldom meets a room. */
export const manyShortCodes = 45

type Draw = (below: number) => number

/** Answers a free code, or null when none was found. `draw(n)` answers a whole number from 0 to n − 1. */
export function drawCode(taken: ReadonlySet<string>, version: RoomVersion, draw: Draw): string | null {
  const shortCodes = [...taken].filter((code) => code.length === 2).length
  for (const code of codesToTry(shortCodes, version, draw)) if (isFree(taken, code)) return code
  return null
}

/** Codes that may be free, the short ones first, by how many of two digits are taken. */
export function* codesToTry(shortCodes: number, version: RoomVersion, draw: Draw): Generator<string> {
  for (const digits of lengthsFor(shortCodes, version)) {
    const first = 10 ** (digits - 1)
    for (let attempt = 0; attempt < attempts; attempt += 1) yield String(first + draw(9 * first))
  }
}

function lengthsFor(shortCodes: number, version: RoomVersion): readonly number[] {
  if (version === 1) return [6]
  return shortCodes > manyShortCodes ? [3] : [2, 3]
}

const isFree = (taken: ReadonlySet<string>, code: string): boolean =>
  [...taken].every((other) => !other.startsWith(code) && !code.startsWith(other))

/** The code of the room a number of six digits leads to, or null. */
export function codeReachedBy(taken: ReadonlySet<string>, digits: string): string | null {
  for (const length of [2, 3, 6]) {
    const beginning = digits.slice(0, length)
    if (beginning.length === length && taken.has(beginning)) return beginning
  }
  return null
}

/** What lies behind the first digits of a number: a room, several that need one digit more, a basic one, or nothing. */
export function locate(taken: ReadonlySet<string>, prefix: string): 'v2' | 'more' | 'classic' | null {
  if (taken.has(prefix)) return 'v2'
  const behind = [...taken].filter((code) => code.startsWith(prefix))
  if (behind.some((code) => code.length === 3)) return 'more'
  return behind.length > 0 ? 'classic' : null
}

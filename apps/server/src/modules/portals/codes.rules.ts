import { portalLimits, portalRoomLimits } from '@sallyport/contract/limits'

/**
 * A room is found under a code prefix of two or four digits, the rest of the code being known to the two devices only,
 * or, for legacy peers, under all six digits. No prefix of two digits begins a code of six, so that six typed digits
 * identify one room; a prefix of four belongs to a code of eight digits, which cannot be confused with one of six.
 */
export type RoomVersion = 1 | 2

const maxDraws = 200
const legacyDigits = portalLimits.codeDigits

type Draw = (below: number) => number

/** Returns a free code, or null when none was found. `draw(n)` returns an integer from 0 to n − 1. */
export function drawCode(taken: ReadonlySet<string>, version: RoomVersion, draw: Draw): string | null {
  const shortCodes = [...taken].filter((code) => code.length === 2).length
  for (const code of codesToTry(shortCodes, version, draw)) if (isFree(taken, code)) return code
  return null
}

/** Yields codes that may be free, short ones first while few of them are in use. */
export function* codesToTry(shortCodes: number, version: RoomVersion, draw: Draw): Generator<string> {
  for (const digits of lengthsFor(shortCodes, version)) {
    const first = 10 ** (digits - 1)
    for (let attempt = 0; attempt < maxDraws; attempt += 1) yield String(first + draw(9 * first))
  }
}

function lengthsFor(shortCodes: number, version: RoomVersion): readonly number[] {
  if (version === 1) return [legacyDigits]
  return shortCodes < portalRoomLimits.shortPrefixes ? [2, 4] : [4]
}

const isFree = (taken: ReadonlySet<string>, code: string): boolean =>
  [...taken].every((other) => !areAmbiguous(other, code))

/** Whether the same typed digits could mean either code. */
function areAmbiguous(one: string, other: string): boolean {
  if (one.length === 4 || other.length === 4) return one === other
  return one.startsWith(other) || other.startsWith(one)
}

/** Returns the code of the room that six digits lead to, or null. */
export function findCode(taken: ReadonlySet<string>, digits: string): string | null {
  if (digits.length !== legacyDigits) return null
  return [digits.slice(0, 2), digits].find((code) => taken.has(code)) ?? null
}

/** What a prefix leads to: a verified room, one or more legacy rooms, or nothing. */
export function lookUpCodePrefix(taken: ReadonlySet<string>, prefix: string): 'v2' | 'classic' | null {
  if (taken.has(prefix)) return 'v2'
  const isLegacy = (code: string) => code.length === legacyDigits && code.startsWith(prefix)
  return prefix.length === 2 && [...taken].some(isLegacy) ? 'classic' : null
}

import { portalLimits, portalRoomLimits } from '@sallyport/contract/limits'

/**
 * A room is found under a code prefix of two or four digits, the rest of the code being known to the two devices alone, or,
 * for devices that know only the basic protocol, under all six digits. No prefix of two digits begins a code of six, so that
 * six typed digits mean one room; a prefix of four belongs to a code of eight digits, which is never mistaken for one of six.
 */
export type RoomVersion = 1 | 2

const attempts = 200
const legacyDigits = portalLimits.codeDigits

type Draw = (below: number) => number

/** Answers a free code, or null when none was found. `draw(n)` answers a whole number from 0 to n − 1. */
export function drawCode(taken: ReadonlySet<string>, version: RoomVersion, draw: Draw): string | null {
  const shortCodes = [...taken].filter((code) => code.length === 2).length
  for (const code of codesToTry(shortCodes, version, draw)) if (isFree(taken, code)) return code
  return null
}

/** Codes that may be free, the short ones first while few of them are in use. */
export function* codesToTry(shortCodes: number, version: RoomVersion, draw: Draw): Generator<string> {
  for (const digits of lengthsFor(shortCodes, version)) {
    const first = 10 ** (digits - 1)
    for (let attempt = 0; attempt < attempts; attempt += 1) yield String(first + draw(9 * first))
  }
}

function lengthsFor(shortCodes: number, version: RoomVersion): readonly number[] {
  if (version === 1) return [legacyDigits]
  return shortCodes < portalRoomLimits.shortPrefixes ? [2, 4] : [4]
}

const isFree = (taken: ReadonlySet<string>, code: string): boolean =>
  [...taken].every((other) => !areAmbiguous(other, code))

/** Whether the same typed digits could mean both. */
function areAmbiguous(one: string, other: string): boolean {
  if (one.length === 4 || other.length === 4) return one === other
  return one.startsWith(other) || other.startsWith(one)
}

/** The code of the room a number of six digits leads to, or null. */
export function codeReachedBy(taken: ReadonlySet<string>, digits: string): string | null {
  if (digits.length !== legacyDigits) return null
  return [digits.slice(0, 2), digits].find((code) => taken.has(code)) ?? null
}

/** What lies behind a prefix: a verified room, one or more legacy rooms, or nothing. */
export function locate(taken: ReadonlySet<string>, prefix: string): 'v2' | 'classic' | null {
  if (taken.has(prefix)) return 'v2'
  const isLegacy = (code: string) => code.length === legacyDigits && code.startsWith(prefix)
  return prefix.length === 2 && [...taken].some(isLegacy) ? 'classic' : null
}

import { portalLimits, portalRoomLimits } from '@sallyport/contract/limits'
import { pinLimits, rateLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'

interface Attacker {
  readonly ipv4Addresses: number
  readonly ipv6Networks48: number
}

interface Portal {
  /** Further codes that the user requests after the warning. */
  readonly codesRequested: number
}

const daySeconds = 24 * 60 * 60

/** How many code lookups an attacker gets in a day by the limits of the server alone. */
function lookupsPerDay({ ipv4Addresses, ipv6Networks48 }: Attacker): number {
  const ofDay = ({ points, windowSeconds }: { points: number; windowSeconds: number }) =>
    points * Math.ceil(daySeconds / windowSeconds)
  const { portalLookupsPerAddress, portalLookupsPer48 } = rateLimits
  return ipv4Addresses * ofDay(portalLookupsPerAddress) + ipv6Networks48 * ofDay(portalLookupsPer48)
}

/** Each code allows one guess; the client stops after two codes and continues only when the user requests another. */
const guessesOf = ({ codesRequested }: Portal): number => portalLimits.maxWrongCodes + codesRequested

/**
 * The chance to pair with one given portal that waits by a code. Every code is drawn independently, and so are the
 * guesses.
 */
function chanceOfPairing(attacker: Attacker, portal: Portal): number {
  const guesses = Math.min(guessesOf(portal), lookupsPerDay(attacker))
  return 1 - (1 - 10 ** -portalLimits.secretDigits) ** guesses
}

// Accounts do not help: no portal limit depends on the account.
const attacker = { ipv4Addresses: 100, ipv6Networks48: 1 }

test('T198 with 100 IPv4 addresses, an IPv6 /48 and 10 accounts the chance to pair with a given portal is below 1 in 1,000 a day', () => {
  const cases = [0, 1, 5].map((codesRequested) => ({
    'codes requested after the warning': codesRequested,
    'lookups the server allows per day': lookupsPerDay(attacker),
    'guesses the client allows': guessesOf({ codesRequested }),
    'chance to pair with the portal': chanceOfPairing(attacker, { codesRequested }).toExponential(2),
  }))
  // biome-ignore lint/suspicious/noConsole: the figures are what this test is for.
  console.table(cases)

  expect(chanceOfPairing(attacker, { codesRequested: 0 })).toBeLessThan(2.001e-4)
  for (const codesRequested of [0, 1, 5]) expect(chanceOfPairing(attacker, { codesRequested })).toBeLessThan(1e-3)
})

test('T205 a server that ignores its own limits has the same chance, because the client counts guesses', () => {
  const unlimited = { ipv4Addresses: Number.POSITIVE_INFINITY, ipv6Networks48: 0 }

  expect(chanceOfPairing(unlimited, { codesRequested: 0 })).toBeCloseTo(
    chanceOfPairing(attacker, { codesRequested: 0 }),
  )
  expect(portalLimits.secretDigits).toBeGreaterThanOrEqual(4)
  expect(portalLimits.maxWrongCodes).toBeLessThanOrEqual(2)
})

test("T198 the answers of a link room's creator stay below the message limit of a socket", () => {
  const { points, windowSeconds } = portalRoomLimits.joinsPerRoom
  expect(points * portalLimits.maxAnswersPerJoin).toBeLessThan(portalLimits.signalBurst)
  expect(points / windowSeconds).toBeLessThan(portalLimits.signalsPerSecond)
  expect(pinLimits.proofsPerAddress.points).toBeLessThanOrEqual(points)
})

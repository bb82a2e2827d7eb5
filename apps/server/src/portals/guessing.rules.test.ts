import { portalLimits, portalRoomLimits } from '@sallyport/contract/limits'
import { pinLimits, rateLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'

interface Attacker {
  readonly ipv4Addresses: number
  readonly ipv6Networks48: number
}

interface Portal {
  /** Codes that the person asks for after the warning. */
  readonly codesAskedFor: number
}

const daySeconds = 24 * 60 * 60

/** How often an attacker may learn in a day what a code leads to, by the limits of the server alone. */
function lookupsOfDay({ ipv4Addresses, ipv6Networks48 }: Attacker): number {
  const ofDay = ({ points, windowSeconds }: { points: number; windowSeconds: number }) =>
    points * Math.ceil(daySeconds / windowSeconds)
  const { portalLookupsPerAddress, portalLookupsPer48 } = rateLimits
  return ipv4Addresses * ofDay(portalLookupsPerAddress) + ipv6Networks48 * ofDay(portalLookupsPer48)
}

/** Each code has one guess; the client stops after two codes, and goes on only where the person asks for one more. */
const guessesOf = ({ codesAskedFor }: Portal): number => portalLimits.wrongCodes + codesAskedFor

/** The chance to pair with one given portal that waits by a code. Every code is drawn anew, so guesses are independent. */
function chanceOfPairing(attacker: Attacker, portal: Portal): number {
  const guesses = Math.min(guessesOf(portal), lookupsOfDay(attacker))
  return 1 - (1 - 10 ** -portalLimits.secretDigits) ** guesses
}

// Accounts do not help: nothing about a portal is counted by account, or freer for one.
const attacker = { ipv4Addresses: 100, ipv6Networks48: 1 }

test('T198 with 100 IPv4 addresses, an IPv6 /48 and ten accounts a given portal is paired with below 1 in 1,000 a day', () => {
  const cases = [0, 1, 5].map((codesAskedFor) => ({
    'codes asked for after the warning': codesAskedFor,
    'lookups the server allows in a day': lookupsOfDay(attacker),
    'guesses the client allows': guessesOf({ codesAskedFor }),
    'chance to pair with the portal': chanceOfPairing(attacker, { codesAskedFor }).toExponential(2),
  }))
  // biome-ignore lint/suspicious/noConsole: the figures are what this test is for.
  console.table(cases)

  expect(chanceOfPairing(attacker, { codesAskedFor: 0 })).toBeLessThan(2.001e-4)
  for (const codesAskedFor of [0, 1, 5]) expect(chanceOfPairing(attacker, { codesAskedFor })).toBeLessThan(1e-3)
})

test('T205 a server that ignores its own limits has the same chance, because the client counts', () => {
  const unlimited = { ipv4Addresses: Number.POSITIVE_INFINITY, ipv6Networks48: 0 }

  expect(chanceOfPairing(unlimited, { codesAskedFor: 0 })).toBeCloseTo(chanceOfPairing(attacker, { codesAskedFor: 0 }))
  expect(portalLimits.secretDigits).toBeGreaterThanOrEqual(4)
  expect(portalLimits.wrongCodes).toBeLessThanOrEqual(2)
})

test('T198 what reaches the creator of a link stays below what closes a socket', () => {
  const { points, windowSeconds } = portalRoomLimits.arrivalsPerRoom
  expect(points * portalLimits.answersPerArrival).toBeLessThan(portalLimits.signalBurst)
  expect(points / windowSeconds).toBeLessThan(portalLimits.signalsPerSecond)
  expect(pinLimits.proofsPerAddress.points).toBeLessThanOrEqual(points)
})

import { expect } from 'vitest'
import { type AccountServer, aCredential, anEmail, startAccounts } from '../../testing/account-server.ts'
import { onEmbeddedDatabase } from '../../testing/databases.ts'

const hour = 3_600_000
const pairs = 200
const boundMs = 5
const patienceMs = 240_000

interface Sides {
  readonly known: () => Promise<number>
  readonly unknown: () => Promise<number>
}

const share = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0
const median = (times: readonly number[]): number => share(times, 1 / 2)

/** How far a busy machine scatters one and the same answer: a quarter of the range that half of the times lie in. */
const scatter = (times: readonly number[]): number => (share(times, 3 / 4) - share(times, 1 / 4)) / 4

/**
 * By how much the medians of both sides lie further apart than they may after 200 pairs, of which so many are asked at
 * once. The order turns with every pair, so that whatever else the machine does meets both sides alike.
 */
async function tooFarApart({ known, unknown }: Sides, atOnce: number, between: () => void): Promise<number> {
  const times: Record<keyof Sides, number[]> = { known: [], unknown: [] }
  const pair = async (place: number): Promise<void> => {
    const sides = place % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    const ask = async (side: keyof Sides) => times[side].push(await (side === 'known' ? known : unknown)())
    if (atOnce > 1) await Promise.all(sides.map(ask))
    else for (const side of sides) await ask(side)
  }
  for (let start = 0; start < pairs; start += atOnce) {
    between()
    await Promise.all(Array.from({ length: atOnce }, (_, place) => pair(start + place)))
  }
  const bound = Math.max(boundMs, scatter(times.known))
  return Math.abs(median(times.known) - median(times.unknown)) - bound
}

/** A busy machine may part two medians by chance, but not three times in a row. */
async function expectAlike(sides: Sides, atOnce: number, between: () => void): Promise<void> {
  const beyond: number[] = []
  while (beyond.length < 3 && beyond.every((ms) => ms >= 0)) beyond.push(await tooFarApart(sides, atOnce, between))
  expect(Math.min(...beyond), `${beyond.join(', ')} ms beyond the bound`).toBeLessThan(0)
}

/** Asks, each time from another address, and answers how long that took. */
function timingOf({ app }: AccountServer) {
  let asked = 0
  return async (url: string, payload: object, status: number): Promise<number> => {
    asked += 1
    const remoteAddress = `198.51.${asked >> 8}.${asked & 255}`
    const before = performance.now()
    const { statusCode } = await app.inject({ method: 'POST', url, payload, remoteAddress })
    const ms = performance.now() - before
    expect(statusCode).toBe(status)
    return ms
  }
}

const next = <Thing>(things: readonly Thing[]): (() => Thing) => {
  let place = 0
  return () => things[place++ % things.length] as Thing
}

onEmbeddedDatabase(
  'T045 over 200 pairs signing in takes as long for an unknown address as for a wrong secret',
  async (stage) => {
    const server = await startAccounts(stage)
    const { email } = await server.aMember()
    const time = timingOf(server)
    const signIn = (address: string) => time('/api/login', { email: address, password: aCredential() }, 401)

    await expectAlike({ known: () => signIn(email), unknown: () => signIn(anEmail()) }, 1, () => undefined)
  },
  patienceMs,
)

onEmbeddedDatabase(
  'T048 over 200 pairs recovery takes as long for an unknown address as for a known one',
  async (stage) => {
    const server = await startAccounts(stage)
    const member = next(await Promise.all(Array.from({ length: 8 }, () => aMemberOf(server))))
    const time = timingOf(server)
    const recover = (email: string) => time('/auth/v1/recover', { email }, 200)

    await expectAlike({ known: () => recover(member()), unknown: () => recover(anEmail()) }, 4, () =>
      stage.advance(hour),
    )
    expect((await server.letters()).length).toBeGreaterThan(0)
  },
  patienceMs,
)

for (const confirmAddresses of [true, false]) {
  onEmbeddedDatabase(
    `T045 over 200 pairs registering takes as long for a taken address as for a free one, ${confirmAddresses ? 'with' : 'without'} mail`,
    async (stage) => {
      const server = await startAccounts(stage, { confirmAddresses })
      const taken = next(await Promise.all(Array.from({ length: 8 }, () => aMemberOf(server))))
      const time = timingOf(server)
      const register = (email: string) => time('/api/register', { email, password: aCredential() }, 200)

      await expectAlike(
        { known: () => register(taken()), unknown: () => register(anEmail()) },
        confirmAddresses ? 2 : 1,
        () => stage.advance(hour),
      )
    },
    patienceMs,
  )
}

async function aMemberOf({ provider }: AccountServer): Promise<string> {
  const email = anEmail()
  await provider.createUser({ email, credential: aCredential(), confirmed: true })
  return email
}

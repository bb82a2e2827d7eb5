import { expect } from 'vitest'
import { type AccountServer, aCredential, anEmail, startAccounts } from '../../testing/account-server.ts'
import { onEmbeddedDatabase } from '../../testing/databases.ts'
import { expectAlike } from '../../testing/expect-alike.ts'

const hour = 3_600_000
const patienceMs = 240_000
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

onEmbeddedDatabase('entering a code takes as long for an unknown address as for a known one', async (stage) => {
  const evenAnswerMs = 300
  const server = await startAccounts(stage, { evenAnswerMs })
  const member = await aMemberOf(server)
  await server.post('/auth/v1/recover', { email: member })
  const time = timingOf(server)
  const enter = (email: string) => time('/auth/v1/verify', { type: 'recovery', email, token: '000000' }, 403)

  // Timers may fire a millisecond early.
  expect(await enter(member)).toBeGreaterThanOrEqual(evenAnswerMs - 1)
  expect(await enter(anEmail())).toBeGreaterThanOrEqual(evenAnswerMs - 1)
})

import { expect } from 'vitest'
import { onEmbeddedDatabase } from '../../../testing/engines/databases.ts'
import { expectSameTiming } from '../../../testing/expect-same-timing.ts'
import {
  type AccountServer,
  randomCredential,
  randomEmail,
  startAccountServer,
} from '../../../testing/servers/account-server.ts'

const hour = 3_600_000
const timeoutMs = 240_000
/** Sends a request, each from another IP address, and returns its duration in milliseconds. */
function createTimer({ app }: AccountServer) {
  let requestCount = 0
  return async (url: string, payload: object, status: number): Promise<number> => {
    requestCount += 1
    const remoteAddress = `198.51.${requestCount >> 8}.${requestCount & 255}`
    const before = performance.now()
    const { statusCode } = await app.inject({ method: 'POST', url, payload, remoteAddress })
    const ms = performance.now() - before
    expect(statusCode).toBe(status)
    return ms
  }
}

const cycle = <Item>(items: readonly Item[]): (() => Item) => {
  let index = 0
  return () => items[index++ % items.length] as Item
}

onEmbeddedDatabase(
  'T045 over 200 pairs, signing in takes as long for an unknown address as for a wrong secret',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { email } = await server.createMember()
    const time = createTimer(server)
    const signIn = (address: string) => time('/api/login', { email: address, password: randomCredential() }, 401)

    await expectSameTiming({ known: () => signIn(email), unknown: () => signIn(randomEmail()) }, 1, () => undefined)
  },
  timeoutMs,
)

onEmbeddedDatabase(
  'T048 over 200 pairs, recovery takes as long for an unknown address as for a known one',
  async (stage) => {
    const server = await startAccountServer(stage)
    const member = cycle(await Promise.all(Array.from({ length: 8 }, () => createMember(server))))
    const time = createTimer(server)
    const recover = (email: string) => time('/auth/v1/recover', { email }, 200)

    await expectSameTiming({ known: () => recover(member()), unknown: () => recover(randomEmail()) }, 4, () =>
      stage.advance(hour),
    )
    expect((await server.emails()).length).toBeGreaterThan(0)
  },
  timeoutMs,
)

for (const confirmEmails of [true, false]) {
  onEmbeddedDatabase(
    `T045 over 200 pairs, registering takes as long for a taken address as for a free one, ${confirmEmails ? 'with' : 'without'} email`,
    async (stage) => {
      const server = await startAccountServer(stage, { confirmEmails })
      const taken = cycle(await Promise.all(Array.from({ length: 8 }, () => createMember(server))))
      const time = createTimer(server)
      const register = (email: string) => time('/api/register', { email, password: randomCredential() }, 200)

      await expectSameTiming(
        { known: () => register(taken()), unknown: () => register(randomEmail()) },
        confirmEmails ? 2 : 1,
        () => stage.advance(hour),
      )
    },
    timeoutMs,
  )
}

async function createMember({ provider }: AccountServer): Promise<string> {
  const email = randomEmail()
  await provider.createUser({ email, credential: randomCredential(), confirmed: true })
  return email
}

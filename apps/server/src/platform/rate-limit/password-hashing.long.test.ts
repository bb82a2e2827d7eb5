import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { onEmbeddedDatabase } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../testing/servers/account-server.ts'

const from = (address: string) => ({ 'x-forwarded-for': address })

onEmbeddedDatabase(
  'a flood of wrong passwords from many addresses delays a sign-in from another address by only a few hashes',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { email, password } = await server.createMember()
    let wrong = 0
    const signIn = async (body: object, address: string) => {
      const { statusCode, headers } = await server.post('/api/login', body, from(address))
      if (statusCode === 401) wrong += 1
      return { statusCode, retryAfter: Number(headers['retry-after']) }
    }
    const addresses = 20
    const flood = Array.from({ length: 15 * addresses }, (_, index) =>
      signIn({ email: `${index}@example.org`, password: randomCredential() }, `198.51.100.${index % addresses}`),
    )
    await expect.poll(() => wrong, { interval: 5 }).toBeGreaterThan(addresses)
    const before = wrong

    const honest = await signIn({ email, password }, '203.0.113.1')
    const computedMeanwhile = wrong - before
    const answers = await Promise.all(flood)

    expect(honest.statusCode).toBe(200)
    expect(computedMeanwhile).toBeLessThan(8)
    const rejectedAnswers = answers.filter(({ statusCode }) => statusCode === 503)
    expect(rejectedAnswers.length).toBeGreaterThan(100)
    expect(rejectedAnswers.every(({ retryAfter }) => retryAfter > 0)).toBe(true)
    expect(server.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  },
)

onEmbeddedDatabase(
  'while all addresses of a /56 network keep the queue full, sign-ins from other networks succeed',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { email, password } = await server.createMember()
    const flooding = new AbortController()
    let rejected = 0
    const signIn = async (body: object, address: string) =>
      (await server.post('/api/login', body, from(address))).statusCode
    async function guessRepeatedly(index: number): Promise<void> {
      const address = `2001:db8:0:1${index.toString(16).padStart(2, '0')}::1`
      while (!flooding.signal.aborted) {
        const status = await signIn({ email: randomEmail(), password: randomCredential() }, address)
        if (status === 503) rejected += 1
        if (status !== 401) await wait(2)
      }
    }
    const flood = Array.from({ length: 128 }, (_, index) => guessRepeatedly(index))
    const honest = []
    try {
      await expect.poll(() => rejected, { interval: 1 }).toBeGreaterThan(0)
      for (let time = 0; time < 5; time += 1) honest.push(await signIn({ email, password }, '203.0.113.1'))
    } finally {
      flooding.abort()
    }
    await Promise.all(flood)

    expect(honest).toEqual([200, 200, 200, 200, 200])
  },
)

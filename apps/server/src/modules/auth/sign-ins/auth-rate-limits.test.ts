import { rateLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'
import { addressBlock } from '../../../platform/http/address.ts'
import { createLocalRateLimiter } from '../../../platform/rate-limit/rate-limiter.ts'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../../testing/servers/account-server.ts'
import { countSignIn } from './auth-rate-limits.ts'

const minute = 60_000

function start() {
  let time = 0
  const rateLimiter = createLocalRateLimiter(() => time)
  return {
    tryAs: (email: string, address = '192.0.2.1') => countSignIn(rateLimiter, { email }, address),
    wait: (ms: number) => {
      time += ms
    },
  }
}

test('T049 the 11th failure for an account from one IP address is rejected with a retry time', async () => {
  const { tryAs, wait } = start()
  for (let failures = 0; failures < 10; failures += 1) await tryAs('ann@example.org')
  wait(5 * minute)

  const eleventh = tryAs('ann@example.org')

  await expect(eleventh).rejects.toMatchObject({ code: 'over_request_rate_limit', retryAfterSeconds: 600 })
  await expect(tryAs('ann@example.org', '198.51.100.7')).resolves.toBeTypeOf('function')
  await expect(tryAs('bob@example.org')).resolves.toBeTypeOf('function')
})

test('T049 failures expire with their window', async () => {
  const { tryAs, wait } = start()
  for (let failures = 0; failures < 10; failures += 1) await tryAs('ann@example.org')

  wait(15 * minute)

  await expect(tryAs('ann@example.org')).resolves.toBeTypeOf('function')
})

test('a successful sign-in does not count', async () => {
  const { tryAs } = start()

  for (let successes = 0; successes < 200; successes += 1) {
    const release = await tryAs('ann@example.org')
    await release()
  }

  await expect(tryAs('ann@example.org')).resolves.toBeTypeOf('function')
})

test('of 11 concurrent attempts 1 is rejected', async () => {
  const { tryAs } = start()

  const outcomes = await Promise.allSettled(Array.from({ length: 11 }, () => tryAs('ann@example.org')))

  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
})

test('T050 one password tried on 101 accounts from one IP address is rejected', async () => {
  const { tryAs } = start()
  const { points } = rateLimits.signInFailuresPerAddress
  for (let account = 0; account < points; account += 1) await tryAs(`member-${account}@example.org`)

  const next = tryAs('ann@example.org')

  await expect(next).rejects.toMatchObject({ code: 'over_request_rate_limit' })
  await expect(tryAs('ann@example.org', '198.51.100.7')).resolves.toBeTypeOf('function')
})

/** Returns one address in each of `count` /64 networks of a /56. */
const networksOf56 = (count: number, base = '2001:db8:0:1') =>
  Array.from({ length: count }, (_, index) => addressBlock(`${base}${index.toString(16).padStart(2, '0')}::1`))

test('a /56 network may fail twice as often as one IP address, and a /48 four times', async () => {
  const { tryAs } = start()
  const { points } = rateLimits.signInFailuresPerAddress
  const failAll = async (blocks: readonly string[]) => {
    for (let failure = 0; failure < 2 * points; failure += 1) {
      await tryAs(`member-${failure}@example.org`, blocks[failure % blocks.length])
    }
  }
  await failAll(networksOf56(8))

  const same56 = tryAs('ann@example.org', addressBlock('2001:db8:0:1ff::1'))
  await expect(same56).rejects.toMatchObject({ code: 'over_request_rate_limit' })
  await failAll(networksOf56(8, '2001:db8:0:2'))
  const same48 = tryAs('ann@example.org', addressBlock('2001:db8:0:300::1'))
  await expect(same48).rejects.toMatchObject({ code: 'over_request_rate_limit' })
  await expect(tryAs('ann@example.org', addressBlock('2001:db8:1::1'))).resolves.toBeTypeOf('function')
})

test('a /48 network may fail four times as often for one account as one IP address', async () => {
  const { tryAs } = start()
  const networks = Array.from({ length: 41 }, (_, index) => addressBlock(`2001:db8:0:${index.toString(16)}00::1`))

  const outcomes = await Promise.allSettled(networks.map((network) => tryAs('ann@example.org', network)))

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40)
})

onBothDatabases('of 21 registrations from different addresses of one /48 network the last gets 429', async (stage) => {
  const server = await startAccountServer(stage)
  const register = (network: number) =>
    server.post(
      '/api/register',
      { email: randomEmail(), password: randomCredential() },
      { 'x-forwarded-for': `2001:db8:0:${network.toString(16)}00::1` },
    )
  const statuses = []
  for (let network = 0; network < 21; network += 1) statuses.push((await register(network)).statusCode)

  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
})

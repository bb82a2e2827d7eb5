import { rateLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'
import { addressBlock } from '../../http/address.ts'
import { createLocalAttempts } from '../../limits/attempts.ts'
import { aCredential, anEmail, startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { countSignIn } from './sign-in-attempts.ts'

const minute = 60_000

function start() {
  let time = 0
  const attempts = createLocalAttempts(() => time)
  return {
    tryAs: (email: string, address = '192.0.2.1') => countSignIn(attempts, { email }, address),
    wait: (ms: number) => {
      time += ms
    },
  }
}

test('T049 the 11th failure for an account from one address is refused, and told when to come back', async () => {
  const { tryAs, wait } = start()
  for (let failures = 0; failures < 10; failures += 1) await tryAs('ann@example.org')
  wait(5 * minute)

  const eleventh = tryAs('ann@example.org')

  await expect(eleventh).rejects.toMatchObject({ code: 'over_request_rate_limit', retryAfterSeconds: 600 })
  await expect(tryAs('ann@example.org', '198.51.100.7')).resolves.toBeTypeOf('function')
  await expect(tryAs('bob@example.org')).resolves.toBeTypeOf('function')
})

test('T049 failures are forgotten when their window ends', async () => {
  const { tryAs, wait } = start()
  for (let failures = 0; failures < 10; failures += 1) await tryAs('ann@example.org')

  wait(15 * minute)

  await expect(tryAs('ann@example.org')).resolves.toBeTypeOf('function')
})

test('a sign-in that succeeds does not count', async () => {
  const { tryAs } = start()

  for (let successes = 0; successes < 200; successes += 1) {
    const forgive = await tryAs('ann@example.org')
    await forgive()
  }

  await expect(tryAs('ann@example.org')).resolves.toBeTypeOf('function')
})

test('eleven attempts at the same moment do not slip through together', async () => {
  const { tryAs } = start()

  const outcomes = await Promise.allSettled(Array.from({ length: 11 }, () => tryAs('ann@example.org')))

  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
})

test('T050 one password tried on 101 accounts from one address is refused', async () => {
  const { tryAs } = start()
  const { points } = rateLimits.signInFailuresPerAddress
  for (let account = 0; account < points; account += 1) await tryAs(`member-${account}@example.org`)

  const next = tryAs('ann@example.org')

  await expect(next).rejects.toMatchObject({ code: 'over_request_rate_limit' })
  await expect(tryAs('ann@example.org', '198.51.100.7')).resolves.toBeTypeOf('function')
})

/** One address in each of so many /64 networks of a /56. */
const networksOf56 = (count: number, base = '2001:db8:0:1') =>
  Array.from({ length: count }, (_, index) => addressBlock(`${base}${index.toString(16).padStart(2, '0')}::1`))

test('a /56 network may fail twice as often as an address, and a /48 four times', async () => {
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

test('a /48 network may guess four times as often at one account as an address', async () => {
  const { tryAs } = start()
  const networks = Array.from({ length: 41 }, (_, index) => addressBlock(`2001:db8:0:${index.toString(16)}00::1`))

  const outcomes = await Promise.allSettled(networks.map((network) => tryAs('ann@example.org', network)))

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40)
})

onBothDatabases('registrations from one /48 network are limited, however many addresses it uses', async (stage) => {
  const server = await startAccounts(stage)
  const register = (network: number) =>
    server.post(
      '/api/register',
      { email: anEmail(), password: aCredential() },
      { 'x-forwarded-for': `2001:db8:0:${network.toString(16)}00::1` },
    )
  const statuses = []
  for (let network = 0; network < 21; network += 1) statuses.push((await register(network)).statusCode)

  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
})

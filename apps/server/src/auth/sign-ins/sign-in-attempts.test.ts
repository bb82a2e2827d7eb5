import { rateLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'
import { createLocalAttempts } from '../../limits/attempts.ts'
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

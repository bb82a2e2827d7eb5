import { pinRules } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { expect, test, vi } from 'vitest'
import { ApiError, apiError } from '../../errors.ts'
import { addressBlock } from '../http/address.ts'
import { createLocalMutex } from './mutex.ts'
import { noFailures, type PinFailures } from './pin-failures.rules.ts'
import type { PinFailuresStore } from './pin-failures.store.ts'
import { createPinGuard } from './pin-guard.ts'
import type { PinCaller } from './pin-sources.ts'
import { createLocalRateLimiter } from './rate-limiter.ts'

const minute = 60_000
const day24h = 24 * 60 * minute
/** Interval in which an attacker tries a PIN from every source. */
const betweenRounds = 10 * minute
const rounds = day24h / betweenRounds
const pins = pinRules.largest - pinRules.smallest + 1
const openSessions = 100

/** The counts of the guard in memory. */
function createMemoryStore(): PinFailuresStore {
  const sources = new Map<string, PinFailures>()
  const failures: { readonly at: number; readonly isRepeat: boolean }[] = []
  return {
    find: async (source) => sources.get(source) ?? noFailures,
    update: async (source, next) => void sources.set(source, next(sources.get(source) ?? noFailures)),
    countFailure: async (at, isRepeat) => void failures.push({ at, isRepeat }),
    async getDayCounts(now) {
      const recent = failures.filter(({ at }) => at > now - day24h)
      return { failures: recent.length, repeats: recent.filter(({ isRepeat }) => isRepeat).length }
    },
    deleteOld: async () => undefined,
  }
}

vi.setConfig({ testTimeout: 60_000 })

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

type Verdict = 'in' | 'wrong' | 'concealed' | 'refused'

/** The real guard with a clock under control of the test; every caller solves the required work. */
function startDay() {
  let time = 1_800_000_000_000
  const now = () => time
  const rateLimiter = createLocalRateLimiter(now)
  const guard = createPinGuard({
    store: createMemoryStore(),
    rateLimiter,
    mutex: createLocalMutex(),
    secret: Buffer.alloc(32, 1),
    now,
    work: { challenge: () => '', isSolved: async () => true },
  })
  const work = { challenge: 'solved', nonce: '0' }

  async function tryPin(caller: PinCaller, isRight: boolean): Promise<Verdict> {
    try {
      const guess = { ...caller, work, createError: () => apiError('SESSION_NOT_FOUND') }
      const result = await guard.guess(guess, async () => (isRight ? 'session' : null))
      return result.isConcealed ? 'concealed' : 'in'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return error.code === 'SESSION_NOT_FOUND' ? 'wrong' : 'refused'
    }
  }

  function passRound(): void {
    time += betweenRounds
  }

  return { tryPin, rateLimiter, passRound }
}

const chanceOf = (guesses: number, targets: number): number => 1 - (1 - targets / pins) ** guesses

interface AttackerResources {
  readonly addresses: readonly string[]
  readonly accounts: number
}

/**
 * Tries a PIN from every address every ten minutes of a day; returns how many tries revealed whether the PIN is right.
 */
async function guessAllDay({ addresses, accounts }: AttackerResources) {
  const day = startDay()
  let [answered, tried] = [0, 0]
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, address] of addresses.entries()) {
      const userId = accounts > 0 && index % 2 === 0 ? `account ${(index + round) % accounts}` : undefined
      const verdict = await day.tryPin({ address: addressBlock(address), userId }, false)
      tried += 1
      if (verdict === 'wrong') answered += 1
    }
    day.passRound()
  }
  return { answered, tried }
}

const ipv4 = (count: number) => Array.from({ length: count }, (_, index) => `198.51.${index >> 8}.${index & 255}`)
/** Addresses in different /64 of one /48, spread over its /56. */
const ipv6 = (count: number) =>
  Array.from({ length: count }, (_, index) => `2001:db8:1:${((index * 257) & 0xffff).toString(16)}::1`)

test('an attacker with 100 addresses, an IPv6 /48 and 10 accounts gets into one of 100 sessions with less than 2 % a day', async () => {
  const attackers = {
    'one address': { addresses: ipv4(1), accounts: 0 },
    'one address and ten accounts': { addresses: ipv4(1), accounts: 10 },
    'an IPv6 /48': { addresses: ipv6(64), accounts: 0 },
    'one hundred addresses': { addresses: ipv4(100), accounts: 0 },
    'all of them': { addresses: [...ipv4(100), ...ipv6(64)], accounts: 10 },
  }
  for (const [name, resources] of Object.entries(attackers)) {
    const { answered, tried } = await guessAllDay(resources)
    const [any, given] = [chanceOf(answered, openSessions), chanceOf(answered, 1)]
    print(
      `${name}: ${tried} PINs sent, ${answered} answered; one of ${openSessions} sessions ${(any * 100).toFixed(2)} %, a given one ${given.toExponential(2)}`,
    )
    expect(any, name).toBeLessThan(0.02)
    expect(given, name).toBeLessThan(1e-4)
  }
})

test('one address or one /48 does not make the PIN alone useless for others; 64 addresses do', async () => {
  const answerAfter = async (addresses: readonly string[]): Promise<Verdict> => {
    const day = startDay()
    for (let round = 0; round < rounds / 2; round += 1) {
      for (const address of addresses) await day.tryPin({ address: addressBlock(address) }, false)
      day.passRound()
    }
    return day.tryPin({ address: '203.0.113.1' }, true)
  }
  const answers = {
    'one address': await answerAfter(ipv4(1)),
    'an IPv6 /48': await answerAfter(ipv6(64)),
    '63 addresses': await answerAfter(ipv4(63)),
    '64 addresses': await answerAfter(ipv4(64)),
  }
  print(`a stranger with the right PIN, after half a day of guessing by ${JSON.stringify(answers)}`)

  expect(answers).toEqual({
    'one address': 'in',
    'an IPv6 /48': 'in',
    '63 addresses': 'in',
    '64 addresses': 'concealed',
  })
})

test('people who mistype three times are admitted: at once on a quiet day, by the creator while PINs are guessed', async () => {
  const mistypeThenJoin = async (day: ReturnType<typeof startDay>, address: string): Promise<Verdict> => {
    for (let typo = 0; typo < 3; typo += 1) await day.tryPin({ address }, false)
    return day.tryPin({ address }, true)
  }
  const quiet = startDay()
  const onQuietDay = []
  for (let person = 0; person < 20; person += 1) onQuietDay.push(await mistypeThenJoin(quiet, `203.0.113.${person}`))
  const attacked = startDay()
  for (const address of ipv4(100)) await attacked.tryPin({ address }, false)
  const whileAttacked = await mistypeThenJoin(attacked, '203.0.113.1')
  const atOnce = onQuietDay.filter((verdict) => verdict === 'in').length
  print(`of 20 people who mistype three times on one day ${atOnce} are admitted at once, the others by the creator`)

  expect(atOnce).toBeGreaterThanOrEqual(10)
  expect(onQuietDay.every((verdict) => verdict === 'in' || verdict === 'concealed')).toBe(true)
  expect(whileAttacked).toBe('concealed')
})

test('10 accounts that draw PINs for new sessions hit few open ones, and join none of them', async () => {
  const day = startDay()
  let draws = 0
  for (let round = 0; round < rounds; round += 1) {
    for (let account = 0; account < 10 * 10; account += 1) {
      const { allowed } = await day.rateLimiter.allow(`new session|${account % 10}`, rateLimits.newSessionsPerAccount)
      if (allowed) draws += 1
    }
    day.passRound()
  }
  print(
    `${draws} PINs drawn for new sessions: ${((draws * openSessions) / pins).toFixed(2)} of ${openSessions} open ones are hit, and require approval from then on`,
  )

  expect(draws).toBe(10 * 20 * 24)
})

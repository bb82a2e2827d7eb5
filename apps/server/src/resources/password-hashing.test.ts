import { setTimeout as wait } from 'node:timers/promises'
import { secondFactorLimits } from '@sallyport/contract/limits'
import { hashingLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'
import { addressBlock } from '../http/address.ts'
import { aCredential, anEmail, datedForm, startAccounts } from '../testing/account-server.ts'
import { onBothDatabases, onEmbeddedDatabase, type Stage } from '../testing/databases.ts'
import { appCode } from '../testing/provider-suite.ts'
import { startWholeServer } from '../testing/whole-server.ts'
import { createPasswordHashing, type HashingCaller } from './password-hashing.ts'

/** Hashing whose hashes end when the test says so. */
function startHashes() {
  const hashing = createPasswordHashing()
  const running: { readonly name: string; readonly end: () => void }[] = []
  const rejected: string[] = []
  const begin = (name: string, caller: HashingCaller) =>
    hashing
      .run(caller, () => new Promise<void>((resolve) => running.push({ name, end: resolve })))
      .catch((error: Error & { status?: number; retryAfterSeconds?: number }) => {
        rejected.push(`${name} ${error.status} ${error.retryAfterSeconds}`)
      })
  async function endNext(): Promise<string> {
    await expect.poll(() => running.length).toBeGreaterThan(0)
    const [next] = running.splice(0, 1)
    next?.end()
    await new Promise(setImmediate)
    return next?.name ?? ''
  }
  return { hashing, running, rejected, begin, endNext }
}

test('two hashes are computed at once, and work on accounts never takes the place of a sign-in', async () => {
  const { begin, running, endNext } = startHashes()
  for (const name of ['w1', 'w2', 'w3', 'w4']) void begin(name, { queue: 'account', address: 'a' })
  void begin('s1', { queue: 'sign-in', address: 'b' })
  void begin('s2', { queue: 'sign-in', address: 'b' })
  await new Promise(setImmediate)

  expect(running.map(({ name }) => name)).toEqual(['w1', 'w2'])
  await endNext()
  expect(running.map(({ name }) => name)).toEqual(['w2', 's1'])
  await endNext()
  expect(running.map(({ name }) => name).sort()).toEqual(['s1', 'w3'])
})

test('a full queue answers 503 with a time to retry, counts it, and an unknown address still finds a place', async () => {
  const { begin, rejected, hashing, endNext } = startHashes()
  const flooding = Math.ceil(hashingLimits.waiting / hashingLimits.waitingPerAddress) + 2
  for (let round = 0; round < hashingLimits.waitingPerAddress; round += 1) {
    for (let one = 0; one < flooding; one += 1)
      void begin(`flood ${one}`, { queue: 'sign-in', address: `flood ${one}` })
  }
  void begin('honest', { queue: 'sign-in', address: 'honest' })
  await new Promise(setImmediate)

  const served: string[] = []
  while (!served.includes('honest')) served.push(await endNext())

  expect(served.length).toBeLessThanOrEqual(hashingLimits.atOnce + 1 + flooding)
  expect(rejected.length).toBeGreaterThan(0)
  expect(rejected.every((line) => line.endsWith(` 503 ${hashingLimits.retryAfterSeconds}`))).toBe(true)
  expect(rejected.join()).not.toContain('honest')
  expect(hashing.status('sign-in').rejected).toBe(rejected.length)
  expect(hashing.status('account')).toEqual({ waiting: 0, rejected: 0 })
})

const from = (address: string) => ({ 'x-forwarded-for': address })

onEmbeddedDatabase(
  'a flood of wrong passwords from many addresses delays a sign-in from another one by a few hashes only',
  async (stage) => {
    const server = await startAccounts(stage)
    const { email, password } = await server.aMember()
    let wrong = 0
    const signIn = async (body: object, address: string) => {
      const { statusCode, headers } = await server.post('/api/login', body, from(address))
      if (statusCode === 401) wrong += 1
      return { statusCode, retryAfter: Number(headers['retry-after']) }
    }
    const addresses = 20
    const flood = Array.from({ length: 15 * addresses }, (_, index) =>
      signIn({ email: `${index}@example.org`, password: aCredential() }, `198.51.100.${index % addresses}`),
    )
    await expect.poll(() => wrong, { interval: 5, timeout: 20_000 }).toBeGreaterThan(addresses)
    const before = wrong

    const honest = await signIn({ email, password }, '203.0.113.1')
    const computedMeanwhile = wrong - before
    const answers = await Promise.all(flood)

    expect(honest.statusCode).toBe(200)
    expect(computedMeanwhile).toBeLessThan(8)
    const shed = answers.filter(({ statusCode }) => statusCode === 503)
    expect(shed.length).toBeGreaterThan(100)
    expect(shed.every(({ retryAfter }) => retryAfter > 0)).toBe(true)
    expect(server.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  },
)

test('an IPv6 network waits as one caller, and people of a local network by their accounts', async () => {
  const { begin, hashing } = startHashes()
  const waitingFor = async (callers: readonly HashingCaller[]) => {
    for (const caller of callers) void begin('hash', caller)
    await new Promise(setImmediate)
  }
  const queue = 'account'
  const networks = Array.from({ length: 40 }, (_, index) => addressBlock(`2001:db8:0:${index.toString(16)}::1`))

  await waitingFor(networks.map((address) => ({ queue, address })))
  const ofNetwork = hashing.status(queue)
  const local = Array.from(
    { length: 40 },
    (_, index) => ({ queue, address: '10.0.0.1', userId: `user ${index}` }) as const,
  )
  await waitingFor(local.slice(0, 30))

  expect(ofNetwork).toEqual({ waiting: hashingLimits.waitingPerAddress, rejected: 6 })
  expect(hashing.status(queue).waiting).toBe(hashingLimits.waitingPerAddress + 30)
})

onEmbeddedDatabase(
  'while all addresses of a /56 network keep the queue full, sign-ins from elsewhere succeed',
  async (stage) => {
    const server = await startAccounts(stage)
    const { email, password } = await server.aMember()
    const flooding = new AbortController()
    let rejected = 0
    const signIn = async (body: object, address: string) =>
      (await server.post('/api/login', body, from(address))).statusCode
    async function keepGuessing(index: number): Promise<void> {
      const address = `2001:db8:0:1${index.toString(16).padStart(2, '0')}::1`
      while (!flooding.signal.aborted) {
        const status = await signIn({ email: anEmail(), password: aCredential() }, address)
        if (status === 503) rejected += 1
        if (status !== 401) await wait(2)
      }
    }
    const flood = Array.from({ length: 128 }, (_, index) => keepGuessing(index))
    await expect.poll(() => rejected, { interval: 1, timeout: 20_000 }).toBeGreaterThan(0)

    const honest = []
    for (let time = 0; time < 5; time += 1) honest.push(await signIn({ email, password }, '203.0.113.1'))
    flooding.abort()
    await Promise.all(flood)

    expect(honest).toEqual([200, 200, 200, 200, 200])
  },
)

async function enrolApp(stage: Stage, server: Awaited<ReturnType<typeof startAccounts>>) {
  const member = await server.aMember()
  const dated = { ...member.bearer, ...datedForm }
  const { id, totp } = (await server.post('/auth/v1/factors', { factor_type: 'totp' }, dated)).json()
  const challenge = await server.post(`/auth/v1/factors/${id}/challenge`, {}, dated)
  const shown = { challenge_id: challenge.json().id, code: appCode(totp.secret, stage.now()) }
  const { access_token } = (await server.post(`/auth/v1/factors/${id}/verify`, shown, dated)).json()
  return { ...member, bearer: { authorization: `Bearer ${access_token}` } }
}

onBothDatabases(
  'backup codes cost no slow hash, have 70 random bits, and three sets an hour are made',
  async (stage) => {
    const server = await startAccounts(stage)
    const member = await enrolApp(stage, server)
    const make = () => server.post('/api/account/backup-codes', {}, member.bearer)

    const begun = process.cpuUsage()
    const sets = [await make(), await make(), await make()]
    const { user } = process.cpuUsage(begun)
    const fourth = await make()
    stage.advance(59 * 60_000)
    await server.post('/api/account/reauthenticate', { password: member.password }, member.bearer)
    const tooSoon = await make()

    const codes: string[] = sets.flatMap((set) => set.json().codes)
    expect(codes).toHaveLength(3 * secondFactorLimits.backupCodes)
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{7}-[0-9a-hjkmnp-tv-z]{7}$/)
    expect(user / 1000).toBeLessThan(600)
    expect([fourth.statusCode, fourth.json().code]).toEqual([429, 'RATE_LIMITED'])
    expect(tooSoon.statusCode).toBe(429)
  },
)

onBothDatabases(
  'a backup code of an earlier release, stored as a slow hash, still completes a sign-in',
  async (stage) => {
    const server = await startAccounts(stage)
    const { userId, email, password } = await enrolApp(stage, server)
    // The Argon2id hash of "0abcdefgh1" under this salt, as the earlier release stored it.
    const salt = 'c29tZXNhbHQxMjM0NTY3OA'
    const code_hash = 'CgOWkMe8Ra-WDe84XoJE7Mf2kFLGK7JsrvZr-e1V6aU'
    await stage.db.insertInto('backup_codes').values({ user_id: userId, salt, code_hash }).execute()
    const { session } = (await server.post('/api/login', { email, password })).json()
    const bearer = { authorization: `Bearer ${session.access_token}` }

    const used = await server.post('/api/auth/backup-code', { code: 'OABCD-efgh1' }, bearer)

    expect(used.statusCode).toBe(200)
  },
)

test('the metrics name how many hashes wait and were rejected', async () => {
  const server = await startWholeServer()
  try {
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    for (const queue of ['sign-in', 'account']) {
      expect(metrics).toContain(`sallyport_password_hashes_waiting{queue="${queue}"} 0`)
      expect(metrics).toContain(`sallyport_password_hashes_rejected{queue="${queue}"} 0`)
    }
  } finally {
    await server.stop()
  }
})

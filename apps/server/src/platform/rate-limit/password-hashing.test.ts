import { mfaLimits } from '@sallyport/contract/limits'
import { hashingLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'
import { onBothDatabases, type Stage } from '../../testing/engines/databases.ts'
import { appCode } from '../../testing/provider-suite.ts'
import { apiVersionHeader, startAccountServer } from '../../testing/servers/account-server.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'
import { addressBlock } from '../http/address.ts'
import { createPasswordHashing, type HashingCaller } from './password-hashing.ts'

/** Hashing whose hashes complete on demand. */
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

test('two hashes run concurrently, and account work never blocks sign-ins', async () => {
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

test('a full queue rejects with 503 and Retry-After, and a new address is still queued', async () => {
  const { begin, rejected, hashing, endNext } = startHashes()
  const flooding = Math.ceil(hashingLimits.waiting / hashingLimits.waitingPerAddress) + 2
  for (let round = 0; round < hashingLimits.waitingPerAddress; round += 1) {
    for (let one = 0; one < flooding; one += 1)
      void begin(`flood ${one}`, { queue: 'sign-in', address: `flood ${one}` })
  }
  void begin('honest', { queue: 'sign-in', address: 'honest' })
  await new Promise(setImmediate)

  const completed: string[] = []
  while (!completed.includes('honest')) completed.push(await endNext())

  expect(completed.length).toBeLessThanOrEqual(hashingLimits.concurrent + 1 + flooding)
  expect(rejected.length).toBeGreaterThan(0)
  expect(rejected.every((line) => line.endsWith(` 503 ${hashingLimits.retryAfterSeconds}`))).toBe(true)
  expect(rejected.join()).not.toContain('honest')
  expect(hashing.status('sign-in').rejected).toBe(rejected.length)
  expect(hashing.status('account')).toEqual({ waiting: 0, rejected: 0 })
})

test('an IPv6 network counts as one caller, and users of a local network are counted by account', async () => {
  const { begin, hashing } = startHashes()
  const waitingFor = async (callers: readonly HashingCaller[]) => {
    for (const caller of callers) void begin('hash', caller)
    await new Promise(setImmediate)
  }
  const queue = 'account'
  const networks = Array.from({ length: 40 }, (_, index) => addressBlock(`2001:db8:0:${index.toString(16)}::1`))

  await waitingFor(networks.map((address) => ({ queue, address })))
  const networkStatus = hashing.status(queue)
  const local = Array.from(
    { length: 40 },
    (_, index) => ({ queue, address: '10.0.0.1', userId: `user ${index}` }) as const,
  )
  await waitingFor(local.slice(0, 30))

  expect(networkStatus).toEqual({ waiting: hashingLimits.waitingPerAddress, rejected: 6 })
  expect(hashing.status(queue).waiting).toBe(hashingLimits.waitingPerAddress + 30)
})

async function enrolApp(stage: Stage, server: Awaited<ReturnType<typeof startAccountServer>>) {
  const member = await server.createMember()
  const dated = { ...member.bearer, ...apiVersionHeader }
  const { id, totp } = (await server.post('/auth/v1/factors', { factor_type: 'totp' }, dated)).json()
  const challenge = await server.post(`/auth/v1/factors/${id}/challenge`, {}, dated)
  const verification = { challenge_id: challenge.json().id, code: appCode(totp.secret, stage.now()) }
  const { access_token } = (await server.post(`/auth/v1/factors/${id}/verify`, verification, dated)).json()
  return { ...member, bearer: { authorization: `Bearer ${access_token}` } }
}

onBothDatabases(
  'backup codes cost no slow hash, have 70 random bits, and are limited to three sets per hour',
  async (stage) => {
    const server = await startAccountServer(stage)
    const member = await enrolApp(stage, server)
    const make = () => server.post('/api/account/backup-codes', {}, member.bearer)

    const cpuBefore = process.cpuUsage()
    const sets = [await make(), await make(), await make()]
    const { user } = process.cpuUsage(cpuBefore)
    const fourth = await make()
    stage.advance(59 * 60_000)
    await server.post('/api/account/reauthenticate', { password: member.password }, member.bearer)
    const tooSoon = await make()

    const codes: string[] = sets.flatMap((set) => set.json().codes)
    expect(codes).toHaveLength(3 * mfaLimits.backupCodes)
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{7}-[0-9a-hjkmnp-tv-z]{7}$/)
    expect(user / 1000).toBeLessThan(600)
    expect([fourth.statusCode, fourth.json().code]).toEqual([429, 'RATE_LIMITED'])
    expect(tooSoon.statusCode).toBe(429)
  },
)

onBothDatabases('a backup code that an earlier release stored as a slow hash still works', async (stage) => {
  const server = await startAccountServer(stage)
  const { userId, email, password } = await enrolApp(stage, server)
  // The Argon2id hash of "0abcdefgh1" under this salt, as the earlier release stored it.
  const salt = 'c29tZXNhbHQxMjM0NTY3OA'
  const code_hash = 'CgOWkMe8Ra-WDe84XoJE7Mf2kFLGK7JsrvZr-e1V6aU'
  await stage.db.insertInto('backup_codes').values({ user_id: userId, salt, code_hash }).execute()
  const { session } = (await server.post('/api/login', { email, password })).json()
  const bearer = { authorization: `Bearer ${session.access_token}` }

  const used = await server.post('/api/auth/backup-code', { code: 'OABCD-efgh1' }, bearer)

  expect(used.statusCode).toBe(200)
})

test('metrics: count waiting and rejected hashes', async () => {
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

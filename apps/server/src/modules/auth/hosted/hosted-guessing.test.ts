import { createServer } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { createLocalBus } from '../../../platform/events/bus.ts'
import { createLocalRateLimiter } from '../../../platform/rate-limit/rate-limiter.ts'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { randomCredential, randomEmail } from '../../../testing/servers/account-server.ts'
import { registrationTermsOf } from '../../accounts/licences/licence.rules.ts'
import { createProvisionAccount } from '../../accounts/licences/provision-account.store.ts'
import { createAuthSessionsStore } from '../sign-ins/auth-sessions.store.ts'
import { listAuthSessionsOf } from '../sign-ins/auth-sessions.ts'
import { createHostedProvider } from './hosted-provider.ts'
import { createMirrorStore } from './mirror.store.ts'

const origin = { address: '192.0.2.1', userAgent: 'Test' }

/** Starts a hosted provider whose responses the test sets. */
async function start({ db, now }: Stage, { strict = true } = {}) {
  let reply = { status: 503, body: {} }
  const remote = createServer((_, response) => {
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void remote.close())
  const address = remote.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const authSessions = createAuthSessionsStore(db)
  const events: string[] = []
  const provider = createHostedProvider({
    url,
    issuer: url,
    publishableKey: 'sallyport',
    serviceKey: 'service',
    jwksUrl: new URL(`${url}/.well-known/jwks.json`),
    sharedSecret: undefined,
    mirror: createMirrorStore(db, createProvisionAccount(registrationTermsOf({ DEFAULT_PLAN: 'trial' }))),
    lists: {
      listAuthSessions: (userId) => listAuthSessionsOf(authSessions, userId, now()),
      listPastSignIns: async () => [],
    },
    authSessions,
    rateLimiter: createLocalRateLimiter(now),
    bus: createLocalBus(),
    recordActivity: () => undefined,
    securityLog: { record: (event, { address }) => void events.push(`${event} ${address}`) },
    now,
    strict,
  })
  const email = randomEmail()
  const codesOf = async (count: number): Promise<string[]> => {
    const codes: string[] = []
    for (let attempt = 0; attempt < count; attempt += 1) {
      const signingIn = provider.passwordGrant({
        email,
        credential: randomCredential(),
        sessionLifetime: 'short',
        origin,
      })
      codes.push(await signingIn.then(() => '').catch((error: { code?: string }) => error.code ?? ''))
    }
    return codes
  }
  const respond = (status: number, body: object): void => {
    reply = { status, body }
  }
  return { provider, codesOf, respond, events }
}

const invalidCredentials = { code: 'invalid_credentials', message: 'Invalid login credentials' }

onBothDatabases('an outage of a hosted provider does not count as a wrong password', async (stage) => {
  const { codesOf, respond, events } = await start(stage)
  const outage = await codesOf(12)
  respond(429, { code: 'over_request_rate_limit' })
  const busy = await codesOf(12)
  respond(400, invalidCredentials)

  const guesses = await codesOf(11)

  expect(new Set(outage)).toEqual(new Set(['unexpected_failure']))
  expect(new Set(busy)).toEqual(new Set(['over_request_rate_limit']))
  expect(guesses).toEqual([...Array.from({ length: 10 }, () => 'invalid_credentials'), 'over_request_rate_limit'])
  expect(events).toEqual([...Array(10).fill('sign-in.failed 192.0.2.1'), 'sign-in.locked 192.0.2.1'])
})

onBothDatabases('an error of a hosted provider without a known code counts as a wrong password', async (stage) => {
  const { codesOf, respond } = await start(stage)
  respond(400, { error: 'invalid_grant' })

  expect((await codesOf(11)).at(-1)).toBe('over_request_rate_limit')
})

onBothDatabases('with a hosted provider recent authentication is required in strict mode only', async (stage) => {
  const strict = await start(stage)
  const open = await start(stage, { strict: false })

  expect(await strict.provider.isRecentlyAuthenticated('unknown')).toBe(false)
  expect(await open.provider.isRecentlyAuthenticated('unknown')).toBe(true)
})

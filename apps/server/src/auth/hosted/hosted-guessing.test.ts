import { createServer } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { createLocalBus } from '../../bus/bus.ts'
import { furnishAccount } from '../../licences/furnish.store.ts'
import { createLocalAttempts } from '../../limits/attempts.ts'
import { aCredential, anEmail } from '../../testing/account-server.ts'
import { onBothDatabases, type Stage } from '../../testing/databases.ts'
import { createSignInsStore } from '../sign-ins/sign-ins.store.ts'
import { listSignInsOf } from '../sign-ins/sign-ins.ts'
import { createHostedProvider } from './hosted-provider.ts'
import { createMirrorStore } from './mirror.store.ts'

const origin = { address: '192.0.2.1', userAgent: 'Test' }

/** A hosted provider that answers every call as the test says. */
async function start({ db, now }: Stage, { strict = true } = {}) {
  let answer = { status: 503, body: {} }
  const elsewhere = createServer((_, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void elsewhere.close())
  const address = elsewhere.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const signIns = createSignInsStore(db)
  const provider = createHostedProvider({
    url,
    issuer: url,
    publishableKey: 'sallyport',
    serviceKey: 'service',
    keysUrl: new URL(`${url}/.well-known/jwks.json`),
    sharedSecret: undefined,
    mirror: createMirrorStore(db, furnishAccount),
    listSignIns: (userId) => listSignInsOf(signIns, userId, now()),
    signIns,
    attempts: createLocalAttempts(now),
    bus: createLocalBus(),
    now,
    strict,
  })
  const email = anEmail()
  const codesOf = async (count: number): Promise<string[]> => {
    const codes: string[] = []
    for (let attempt = 0; attempt < count; attempt += 1) {
      const signingIn = provider.passwordGrant({ email, credential: aCredential(), policy: 'short', origin })
      codes.push(await signingIn.then(() => '').catch((error: { code?: string }) => error.code ?? ''))
    }
    return codes
  }
  const respond = (status: number, body: object): void => {
    answer = { status, body }
  }
  return { provider, codesOf, respond }
}

const wrong = { code: 'invalid_credentials', message: 'Invalid login credentials' }

onBothDatabases('an outage of a hosted provider does not count as a wrong password', async (stage) => {
  const { codesOf, respond } = await start(stage)
  const outage = await codesOf(12)
  respond(429, { code: 'over_request_rate_limit' })
  const busy = await codesOf(12)
  respond(400, wrong)

  const guesses = await codesOf(11)

  expect(new Set(outage)).toEqual(new Set(['unexpected_failure']))
  expect(new Set(busy)).toEqual(new Set(['over_request_rate_limit']))
  expect(guesses).toEqual([...Array.from({ length: 10 }, () => 'invalid_credentials'), 'over_request_rate_limit'])
})

onBothDatabases('a refusal of a hosted provider without a known code counts as a wrong password', async (stage) => {
  const { codesOf, respond } = await start(stage)
  respond(400, { error: 'invalid_grant' })

  expect((await codesOf(11)).at(-1)).toBe('over_request_rate_limit')
})

onBothDatabases('with a hosted provider a fresh proof is asked for in strict mode only', async (stage) => {
  const strict = await start(stage)
  const open = await start(stage, { strict: false })

  expect(await strict.provider.hasFreshProof('unknown')).toBe(false)
  expect(await open.provider.hasFreshProof('unknown')).toBe(true)
})

import { messageLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import {
  aCredential,
  anEmail,
  codeIn,
  datedForm,
  linkIn,
  parametersIn,
  startAccounts,
} from '../../testing/account-server.ts'
import { onBothDatabases, type Stage } from '../../testing/databases.ts'

const minute = 60_000
const phone = '+491701234567'

async function start(stage: Stage) {
  const server = await startAccounts(stage, { confirmAddresses: true, confirmNumbers: true })
  const from = (host: number) => ({ ...datedForm, 'x-forwarded-for': `198.51.100.${host}` })
  const recover = (email: string, host: number, more = {}) =>
    server.post('/auth/v1/recover', { email, ...more }, from(host))
  const verify = (body: object) => server.post('/auth/v1/verify', body, datedForm)
  const mailsTo = async (email: string) => (await server.letters()).filter(({ to }) => to?.[0]?.address === email)

  async function aPerson() {
    const email = anEmail()
    const password = aCredential()
    await server.provider.createUser({ email, credential: password, confirmed: true })
    return { email, password }
  }
  return { ...server, from, recover, verify, mailsTo, aPerson }
}

onBothDatabases(
  'a stranger who requests recovery mails does not delay the one that the owner requests',
  async (stage) => {
    const server = await start(stage)
    const { email } = await server.aPerson()
    const strangers = []
    for (let time = 0; time < 4; time += 1) {
      strangers.push((await server.recover(email, 66)).statusCode)
      stage.advance(minute)
    }
    const soon = (await server.recover(email, 66)).statusCode

    const owners = await server.recover(email, 1)
    const again = await server.recover(email, 1)

    expect([strangers, soon]).toEqual([[200, 200, 200, 429], 429])
    expect(owners.statusCode).toBe(200)
    expect(again.statusCode).toBe(429)
    expect(await server.mailsTo(email)).toHaveLength(4)
  },
)

onBothDatabases('a mailed recovery link works for its recipient, whoever requested it and however', async (stage) => {
  const server = await start(stage)
  const { email } = await server.aPerson()
  await server.recover(email, 1)
  const challenge = { code_challenge: 'A'.repeat(43), code_challenge_method: 's256' }
  await server.recover(email, 66, challenge)
  const [own, strangers] = await server.mailsTo(email)
  const openedBy = async (letter: Parameters<typeof linkIn>[0] = {}) => {
    const link = linkIn(letter)
    const token_hash = parametersIn(letter).get('token')
    return [link.pathname, (await server.verify({ type: 'recovery', token_hash })).statusCode]
  }

  expect(await openedBy(strangers)).toEqual(['/set-password', 200])
  expect(await openedBy(own)).toEqual(['/set-password', 403])
})

onBothDatabases('a recovery link stays valid when a stranger requests another one', async (stage) => {
  const server = await start(stage)
  const { email } = await server.aPerson()
  await server.recover(email, 1)
  stage.advance(minute)
  await server.recover(email, 66)
  const [own] = await server.mailsTo(email)

  const opened = await server.verify({ type: 'recovery', token_hash: parametersIn(own ?? {}).get('token') })

  expect(opened.statusCode).toBe(200)
})

onBothDatabases('many requesters together cause ten recovery mails an hour, each with a valid link', async (stage) => {
  const server = await start(stage)
  const { email } = await server.aPerson()
  const { points } = rateLimits.recoveriesPerAccount
  const statuses = []
  for (let host = 1; host <= points; host += 1) statuses.push((await server.recover(email, host)).statusCode)
  const refused = await server.recover(email, points + 1)
  stage.advance(messageLimits.recoveryLinkMs - 1)

  const letters = await server.mailsTo(email)
  const opened = await server.verify({ type: 'recovery', token_hash: parametersIn(letters[0] ?? {}).get('token') })
  stage.advance(minute)

  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([refused.statusCode, refused.json().message]).toEqual([
    429,
    'Several messages were sent there in the past hour. Use the latest one, or try again in 60 minutes.',
  ])
  expect(letters).toHaveLength(points)
  expect(opened.statusCode).toBe(200)
  expect((await server.recover(email, 100)).statusCode).toBe(200)
})

onBothDatabases('an unknown address is refused after as many recovery mails as a known one', async (stage) => {
  const server = await start(stage)
  const email = anEmail()
  const { points } = rateLimits.recoveriesPerAccount
  const statuses = []
  for (let host = 1; host <= points + 1; host += 1) statuses.push((await server.recover(email, host)).statusCode)

  expect(statuses).toEqual([...Array.from({ length: points }, () => 200), 429])
})

onBothDatabases('text messages that strangers request do not delay those of a second factor', async (stage) => {
  const server = await start(stage)
  const { email, password } = await server.aPerson()
  const { session } = (await server.post('/api/login', { email, password })).json()
  const bearer = { authorization: `Bearer ${session.access_token}`, ...datedForm }
  const enrolled = await server.post('/auth/v1/factors', { factor_type: 'phone', phone }, bearer)
  const { id } = enrolled.json()
  const challenge = () => server.post(`/auth/v1/factors/${id}/challenge`, {}, bearer)

  const strangers = await server.post('/auth/v1/resend', { type: 'sms', phone }, server.from(66))
  const owners = await challenge()
  const again = await challenge()
  const code = codeIn((await server.texts()).at(-1)?.split('\n\n')[1])
  const body = { challenge_id: owners.json().id, code }
  const verified = await server.post(`/auth/v1/factors/${id}/verify`, body, bearer)

  expect(strangers.statusCode).toBe(200)
  expect(owners.statusCode).toBe(200)
  expect([again.statusCode, again.json().code]).toEqual([429, 'over_sms_send_rate_limit'])
  expect(verified.statusCode).toBe(200)
})

onBothDatabases('registrations by a stranger do not suppress the mail of the address’s holder', async (stage) => {
  const server = await start(stage)
  const email = anEmail()
  const password = aCredential()
  const registerFrom = (host: number, credential = aCredential()) =>
    server.post('/api/register', { email, password: credential }, server.from(host))
  for (let time = 0; time < 4; time += 1) await registerFrom(66)

  await registerFrom(1, password)
  const letters = await server.mailsTo(email)
  await server.verify({ type: 'email', token_hash: parametersIn(letters.at(-1) ?? {}).get('token_hash') })

  expect(letters).toHaveLength(4)
  expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
})

onBothDatabases('requests for other messages to an address hold up no recovery mail', async (stage) => {
  const server = await start(stage)
  const { email } = await server.aPerson()
  const { points } = rateLimits.messagesPerRecipient
  const strangers = []
  for (let host = 1; host <= points + 1; host += 1) {
    strangers.push((await server.post('/auth/v1/resend', { type: 'signup', email }, server.from(host))).statusCode)
  }

  const owners = await server.recover(email, 100)

  expect(strangers).toEqual([...Array.from({ length: points }, () => 200), 429])
  expect(owners.statusCode).toBe(200)
  expect(await server.mailsTo(email)).toHaveLength(1)
})

onBothDatabases('requests for a recovery mail that are refused do not count', async (stage) => {
  const server = await start(stage)
  const { email } = await server.aPerson()
  const statuses = [(await server.recover(email, 1)).statusCode]
  for (let time = 0; time < 5; time += 1) statuses.push((await server.recover(email, 1)).statusCode)
  stage.advance(minute)

  const second = await server.recover(email, 1)

  expect(statuses).toEqual([200, 429, 429, 429, 429, 429])
  expect(second.statusCode).toBe(200)
  expect(await server.mailsTo(email)).toHaveLength(2)
})

onBothDatabases('text messages to a number that is not verified are limited by the number', async (stage) => {
  const server = await start(stage)
  const { points } = rateLimits.messagesPerRecipient
  /** Enrols the number, has a code sent and removes the factor again. */
  async function sendText(bearer: Record<string, string>) {
    const { id } = (await server.post('/auth/v1/factors', { factor_type: 'phone', phone }, bearer)).json()
    const challenged = await server.post(`/auth/v1/factors/${id}/challenge`, {}, bearer)
    await server.remove(`/auth/v1/factors/${id}`, bearer)
    return challenged.statusCode
  }
  async function aBearer() {
    const { email, password } = await server.aPerson()
    const { session } = (await server.post('/api/login', { email, password })).json()
    return { authorization: `Bearer ${session.access_token}`, ...datedForm }
  }
  const bearer = await aBearer()
  const alone = [await sendText(bearer), await sendText(bearer)]
  const together = []
  for (let account = 1; account <= points; account += 1) together.push(await sendText(await aBearer()))

  expect(alone).toEqual([200, 429])
  expect(together).toEqual([...Array.from({ length: points - 1 }, () => 200), 429])
  expect(await server.texts()).toHaveLength(points)
})

onBothDatabases('a verified number gets the codes of its account, whoever else asks for texts to it', async (stage) => {
  const server = await start(stage)
  const { email, password } = await server.aPerson()
  const signIn = async () => {
    const { session } = (await server.post('/api/login', { email, password })).json()
    return { authorization: `Bearer ${session.access_token}`, ...datedForm }
  }
  const bearer = await signIn()
  const { id } = (await server.post('/auth/v1/factors', { factor_type: 'phone', phone }, bearer)).json()
  const challenged = await server.post(`/auth/v1/factors/${id}/challenge`, {}, bearer)
  const code = codeIn((await server.texts()).at(-1)?.split('\n\n')[1])
  await server.post(`/auth/v1/factors/${id}/verify`, { challenge_id: challenged.json().id, code }, bearer)
  for (let host = 1; host <= rateLimits.messagesPerRecipient.points; host += 1) {
    await server.post('/auth/v1/resend', { type: 'sms', phone }, server.from(host))
  }

  const again = await server.post(`/auth/v1/factors/${id}/challenge`, {}, await signIn())

  expect(again.statusCode).toBe(200)
})

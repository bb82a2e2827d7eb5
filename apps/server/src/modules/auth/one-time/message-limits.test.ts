import { messageLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { onAnyDatabase, type Stage } from '../../../testing/engines/databases.ts'
import {
  apiVersionHeader,
  codeIn,
  linkIn,
  parametersIn,
  randomCredential,
  randomEmail,
  startAccountServer,
} from '../../../testing/servers/account-server.ts'

const minute = 60_000
const phone = '+491701234567'

async function start(stage: Stage) {
  const server = await startAccountServer(stage, { confirmEmails: true, confirmPhones: true })
  const from = (host: number) => ({ ...apiVersionHeader, 'x-forwarded-for': `198.51.100.${host}` })
  const recover = (email: string, host: number, more = {}) =>
    server.post('/auth/v1/recover', { email, ...more }, from(host))
  const verify = (body: object) => server.post('/auth/v1/verify', body, apiVersionHeader)
  const mailsTo = async (email: string) => (await server.emails()).filter(({ to }) => to?.[0]?.address === email)

  async function createConfirmedUser() {
    const email = randomEmail()
    const password = randomCredential()
    await server.provider.createUser({ email, credential: password, confirmed: true })
    return { email, password }
  }
  return { ...server, from, recover, verify, mailsTo, createConfirmedUser }
}

onAnyDatabase('recovery emails requested by a stranger do not delay the one that the owner requests', async (stage) => {
  const server = await start(stage)
  const { email } = await server.createConfirmedUser()
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
})

onAnyDatabase('an emailed recovery link works for its recipient, regardless of who requested it', async (stage) => {
  const server = await start(stage)
  const { email } = await server.createConfirmedUser()
  await server.recover(email, 1)
  const challenge = { code_challenge: 'A'.repeat(43), code_challenge_method: 's256' }
  await server.recover(email, 66, challenge)
  const [own, strangers] = await server.mailsTo(email)
  const openedBy = async (mail: Parameters<typeof linkIn>[0] = {}) => {
    const link = linkIn(mail)
    const token_hash = parametersIn(mail).get('token')
    return [link.pathname, (await server.verify({ type: 'recovery', token_hash })).statusCode]
  }

  expect(await openedBy(strangers)).toEqual(['/set-password', 200])
  expect(await openedBy(own)).toEqual(['/set-password', 403])
})

onAnyDatabase('a recovery link stays valid when a stranger requests another one', async (stage) => {
  const server = await start(stage)
  const { email } = await server.createConfirmedUser()
  await server.recover(email, 1)
  stage.advance(minute)
  await server.recover(email, 66)
  const [own] = await server.mailsTo(email)

  const opened = await server.verify({ type: 'recovery', token_hash: parametersIn(own ?? {}).get('token') })

  expect(opened.statusCode).toBe(200)
})

onAnyDatabase(
  'all requesters together cause at most 10 recovery emails per hour, each with a valid link',
  async (stage) => {
    const server = await start(stage)
    const { email } = await server.createConfirmedUser()
    const { points } = rateLimits.recoveriesPerAccount
    const statuses = []
    for (let host = 1; host <= points; host += 1) statuses.push((await server.recover(email, host)).statusCode)
    const refused = await server.recover(email, points + 1)
    stage.advance(messageLimits.recoveryLinkMs - 1)

    const mails = await server.mailsTo(email)
    const opened = await server.verify({ type: 'recovery', token_hash: parametersIn(mails[0] ?? {}).get('token') })
    stage.advance(minute)

    expect(new Set(statuses)).toEqual(new Set([200]))
    expect([refused.statusCode, refused.json().message]).toEqual([
      429,
      'Several messages were sent there in the past hour. Use the latest one, or try again in 60 minutes.',
    ])
    expect(mails).toHaveLength(points)
    expect(opened.statusCode).toBe(200)
    expect((await server.recover(email, 100)).statusCode).toBe(200)
  },
)

onAnyDatabase('an unknown address is rejected after as many recovery requests as a known one', async (stage) => {
  const server = await start(stage)
  const email = randomEmail()
  const { points } = rateLimits.recoveriesPerAccount
  const statuses = []
  for (let host = 1; host <= points + 1; host += 1) statuses.push((await server.recover(email, host)).statusCode)

  expect(statuses).toEqual([...Array.from({ length: points }, () => 200), 429])
})

onAnyDatabase('text messages requested by strangers do not delay those of a second factor', async (stage) => {
  const server = await start(stage)
  const { email, password } = await server.createConfirmedUser()
  const { session } = (await server.post('/api/login', { email, password })).json()
  const bearer = { authorization: `Bearer ${session.access_token}`, ...apiVersionHeader }
  const enrolled = await server.post('/auth/v1/factors', { factor_type: 'phone', phone }, bearer)
  const { id } = enrolled.json()
  const challenge = () => server.post(`/auth/v1/factors/${id}/challenge`, {}, bearer)

  const strangers = await server.post('/auth/v1/resend', { type: 'sms', phone }, server.from(66))
  const owners = await challenge()
  const again = await challenge()
  const code = codeIn((await server.textMessages()).at(-1)?.split('\n\n')[1])
  const body = { challenge_id: owners.json().id, code }
  const verified = await server.post(`/auth/v1/factors/${id}/verify`, body, bearer)

  expect(strangers.statusCode).toBe(200)
  expect(owners.statusCode).toBe(200)
  expect([again.statusCode, again.json().code]).toEqual([429, 'over_sms_send_rate_limit'])
  expect(verified.statusCode).toBe(200)
})

onAnyDatabase('registrations by a stranger do not suppress the email to the address’s owner', async (stage) => {
  const server = await start(stage)
  const email = randomEmail()
  const password = randomCredential()
  const registerFrom = (host: number, credential = randomCredential()) =>
    server.post('/api/register', { email, password: credential }, server.from(host))
  for (let time = 0; time < 4; time += 1) await registerFrom(66)

  await registerFrom(1, password)
  const mails = await server.mailsTo(email)
  await server.verify({ type: 'email', token_hash: parametersIn(mails.at(-1) ?? {}).get('token_hash') })

  expect(mails).toHaveLength(4)
  expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
})

onAnyDatabase('requests for other messages to an address do not block its recovery emails', async (stage) => {
  const server = await start(stage)
  const { email } = await server.createConfirmedUser()
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

onAnyDatabase('rejected requests for a recovery email do not count', async (stage) => {
  const server = await start(stage)
  const { email } = await server.createConfirmedUser()
  const statuses = [(await server.recover(email, 1)).statusCode]
  for (let time = 0; time < 5; time += 1) statuses.push((await server.recover(email, 1)).statusCode)
  stage.advance(minute)

  const second = await server.recover(email, 1)

  expect(statuses).toEqual([200, 429, 429, 429, 429, 429])
  expect(second.statusCode).toBe(200)
  expect(await server.mailsTo(email)).toHaveLength(2)
})

onAnyDatabase('text messages to an unverified phone number are limited per number', async (stage) => {
  const server = await start(stage)
  const { points } = rateLimits.messagesPerRecipient
  /** Enrols the phone number, requests a code and removes the factor. */
  async function sendText(bearer: Record<string, string>) {
    const { id } = (await server.post('/auth/v1/factors', { factor_type: 'phone', phone }, bearer)).json()
    const challenged = await server.post(`/auth/v1/factors/${id}/challenge`, {}, bearer)
    await server.remove(`/auth/v1/factors/${id}`, bearer)
    return challenged.statusCode
  }
  async function createBearer() {
    const { email, password } = await server.createConfirmedUser()
    const { session } = (await server.post('/api/login', { email, password })).json()
    return { authorization: `Bearer ${session.access_token}`, ...apiVersionHeader }
  }
  const bearer = await createBearer()
  const alone = [await sendText(bearer), await sendText(bearer)]
  const together = []
  for (let account = 1; account <= points; account += 1) together.push(await sendText(await createBearer()))

  expect(alone).toEqual([200, 429])
  expect(together).toEqual([...Array.from({ length: points - 1 }, () => 200), 429])
  expect(await server.textMessages()).toHaveLength(points)
})

onAnyDatabase(
  'a verified phone number gets the codes of its account, even when others request texts to it',
  async (stage) => {
    const server = await start(stage)
    const { email, password } = await server.createConfirmedUser()
    const signIn = async () => {
      const { session } = (await server.post('/api/login', { email, password })).json()
      return { authorization: `Bearer ${session.access_token}`, ...apiVersionHeader }
    }
    const bearer = await signIn()
    const { id } = (await server.post('/auth/v1/factors', { factor_type: 'phone', phone }, bearer)).json()
    const challenged = await server.post(`/auth/v1/factors/${id}/challenge`, {}, bearer)
    const code = codeIn((await server.textMessages()).at(-1)?.split('\n\n')[1])
    await server.post(`/auth/v1/factors/${id}/verify`, { challenge_id: challenged.json().id, code }, bearer)
    for (let host = 1; host <= rateLimits.messagesPerRecipient.points; host += 1) {
      await server.post('/auth/v1/resend', { type: 'sms', phone }, server.from(host))
    }

    const again = await server.post(`/auth/v1/factors/${id}/challenge`, {}, await signIn())

    expect(again.statusCode).toBe(200)
  },
)

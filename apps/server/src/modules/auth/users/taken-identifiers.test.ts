import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import {
  apiVersionHeader,
  parametersIn,
  randomCredential,
  randomEmail,
  startAccountServer,
} from '../../../testing/servers/account-server.ts'

const minute = 60_000

async function start(stage: Stage, settings: { strict?: boolean } = {}) {
  const server = await startAccountServer(stage, { confirmEmails: true, confirmPhones: true, ...settings })

  async function createSignedInUser() {
    const email = randomEmail()
    const password = randomCredential()
    await server.provider.createUser({ email, credential: password, confirmed: true })
    const { session } = (await server.post('/api/login', { email, password })).json()
    const bearer = { authorization: `Bearer ${session.access_token}`, ...apiVersionHeader }
    const change = (identifiers: object) =>
      server.put('/auth/v1/user', { ...identifiers, current_password: password }, bearer)
    return { email, password, bearer, change }
  }
  const verify = (body: object) => server.post('/auth/v1/verify', body, apiVersionHeader)
  const mailsTo = async (email: string) => (await server.emails()).filter(({ to }) => to?.[0]?.address === email)
  return { ...server, createSignedInUser, verify, mailsTo }
}

onBothDatabases('changing to a taken email address gets the same response as changing to a free one', async (stage) => {
  const server = await start(stage)
  const [one, other, holder] = [
    await server.createSignedInUser(),
    await server.createSignedInUser(),
    await server.createSignedInUser(),
  ]
  const free = randomEmail()

  const toTaken = await one.change({ email: holder.email })
  const toFree = await other.change({ email: free })
  const [confirmed] = await server.mailsTo(one.email)
  const firstVerification = await server.verify({
    type: 'email_change',
    token_hash: parametersIn(confirmed ?? {}).get('token_hash'),
  })

  const shapeOf = (response: typeof toTaken) => {
    const user = response.json()
    return { status: response.statusCode, keys: Object.keys(user).sort(), pending: user.new_email !== undefined }
  }
  expect(shapeOf(toTaken)).toEqual(shapeOf(toFree))
  expect(firstVerification.json()).toMatchObject({ code: '200' })
  expect((await server.mailsTo(holder.email)).map(({ subject }) => subject)).toEqual(['You already have an account'])
  expect((await server.mailsTo(free)).map(({ subject }) => subject)).toEqual([
    'Please confirm the change of an email address',
  ])
  expect((await server.post('/api/login', holder)).statusCode).toBe(200)
})

onBothDatabases('resending the email of such a change sends the owner no link', async (stage) => {
  const server = await start(stage)
  const [one, holder] = [await server.createSignedInUser(), await server.createSignedInUser()]
  await one.change({ email: holder.email })
  stage.advance(minute)

  await server.post('/auth/v1/resend', { type: 'email_change', email: one.email }, apiVersionHeader)

  const mails = await server.mailsTo(holder.email)
  expect(mails.map(({ subject }) => subject)).toEqual(['You already have an account', 'You already have an account'])
  expect(mails.some(({ text }) => text?.includes('token'))).toBe(false)
})

onBothDatabases(
  'changing to a taken phone number gets the same response as changing to a free one and sends no message',
  async (stage) => {
    const server = await start(stage)
    const [one, other] = [await server.createSignedInUser(), await server.createSignedInUser()]
    await server.provider.createUser({ phone: '+491701234567', confirmed: true })

    const toTaken = await one.change({ phone: '+491701234567' })
    const toFree = await other.change({ phone: '+491701234568' })

    expect([toTaken.statusCode, toFree.statusCode]).toEqual([200, 200])
    expect(Object.keys(toTaken.json()).sort()).toEqual(Object.keys(toFree.json()).sort())
    expect(await server.textMessages()).toHaveLength(1)
  },
)

onBothDatabases(
  'third-party clients: without strict mode a taken email address is rejected with email_exists',
  async (stage) => {
    const server = await start(stage, { strict: false })
    const [one, holder] = [await server.createSignedInUser(), await server.createSignedInUser()]

    const refused = await one.change({ email: holder.email })

    expect([refused.statusCode, refused.json().code]).toEqual([422, 'email_exists'])
  },
)

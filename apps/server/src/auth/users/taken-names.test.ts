import { expect } from 'vitest'
import { aCredential, anEmail, datedForm, parametersIn, startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases, type Stage } from '../../testing/databases.ts'

const minute = 60_000

async function start(stage: Stage, settings: { strict?: boolean } = {}) {
  const server = await startAccounts(stage, { confirmAddresses: true, confirmNumbers: true, ...settings })

  async function aPerson() {
    const email = anEmail()
    const password = aCredential()
    await server.provider.createUser({ email, credential: password, confirmed: true })
    const { session } = (await server.post('/api/login', { email, password })).json()
    const bearer = { authorization: `Bearer ${session.access_token}`, ...datedForm }
    const change = (names: object) => server.put('/auth/v1/user', { ...names, current_password: password }, bearer)
    return { email, password, bearer, change }
  }
  const verify = (body: object) => server.post('/auth/v1/verify', body, datedForm)
  const mailsTo = async (email: string) => (await server.letters()).filter(({ to }) => to?.[0]?.address === email)
  return { ...server, aPerson, verify, mailsTo }
}

onBothDatabases('changing to a taken address is answered like changing to a free one', async (stage) => {
  const server = await start(stage)
  const [one, other, holder] = [await server.aPerson(), await server.aPerson(), await server.aPerson()]
  const free = anEmail()

  const toTaken = await one.change({ email: holder.email })
  const toFree = await other.change({ email: free })
  const [confirmed] = await server.mailsTo(one.email)
  const half = await server.verify({
    type: 'email_change',
    token_hash: parametersIn(confirmed ?? {}).get('token_hash'),
  })

  const shapeOf = (answer: typeof toTaken) => {
    const user = answer.json()
    return { status: answer.statusCode, keys: Object.keys(user).sort(), pending: user.new_email !== undefined }
  }
  expect(shapeOf(toTaken)).toEqual(shapeOf(toFree))
  expect(half.json()).toMatchObject({ code: '200' })
  expect((await server.mailsTo(holder.email)).map(({ subject }) => subject)).toEqual(['You already have an account'])
  expect((await server.mailsTo(free)).map(({ subject }) => subject)).toEqual(['Please confirm your new email address'])
  expect((await server.post('/api/login', holder)).statusCode).toBe(200)
})

onBothDatabases('asking again for the mail of such a change gives the holder no link', async (stage) => {
  const server = await start(stage)
  const [one, holder] = [await server.aPerson(), await server.aPerson()]
  await one.change({ email: holder.email })
  stage.advance(minute)

  await server.post('/auth/v1/resend', { type: 'email_change', email: one.email }, datedForm)

  const letters = await server.mailsTo(holder.email)
  expect(letters.map(({ subject }) => subject)).toEqual(['You already have an account', 'You already have an account'])
  expect(letters.some(({ text }) => text?.includes('token'))).toBe(false)
})

onBothDatabases(
  'changing to a taken number is answered like changing to a free one, without a message',
  async (stage) => {
    const server = await start(stage)
    const [one, other] = [await server.aPerson(), await server.aPerson()]
    await server.provider.createUser({ phone: '+491701234567', confirmed: true })

    const toTaken = await one.change({ phone: '+491701234567' })
    const toFree = await other.change({ phone: '+491701234568' })

    expect([toTaken.statusCode, toFree.statusCode]).toEqual([200, 200])
    expect(Object.keys(toTaken.json()).sort()).toEqual(Object.keys(toFree.json()).sort())
    expect(await server.texts()).toHaveLength(1)
  },
)

onBothDatabases('foreign clients: without strict mode a taken address is refused as such', async (stage) => {
  const server = await start(stage, { strict: false })
  const [one, holder] = [await server.aPerson(), await server.aPerson()]

  const refused = await one.change({ email: holder.email })

  expect([refused.statusCode, refused.json().code]).toEqual([422, 'email_exists'])
})

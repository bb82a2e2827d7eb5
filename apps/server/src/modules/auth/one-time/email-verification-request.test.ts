import { guessingLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { onAnyDatabase } from '../../../testing/engines/databases.ts'
import { parametersIn, startAccountServer } from '../../../testing/servers/account-server.ts'

const subject = 'Please verify the email address of your account'

onAnyDatabase(
  'an address registered while email was off gets a verification email once it is on, and signs in meanwhile',
  async (stage) => {
    const { email, password } = await (await startAccountServer(stage)).createMember()
    const server = await startAccountServer(stage, { confirmEmails: true })
    const identity = async () => {
      const { session } = (await server.post('/api/login', { email, password })).json()
      return session.user.identities[0].identity_data
    }
    const verificationMails = async () => (await server.emails()).filter((mail) => mail.subject === subject)

    const before = await identity()
    await identity()
    const [mail, ...others] = await verificationMails()
    stage.advance(guessingLimits.addressProofEveryMs)
    await identity()
    const [, latest] = await verificationMails()
    const token_hash = parametersIn(latest ?? {}).get('token_hash')
    const opened = await server.post('/auth/v1/verify', { type: 'email', token_hash })
    const after = await identity()
    stage.advance(guessingLimits.addressProofEveryMs)
    await identity()

    expect(before).toMatchObject({ email, email_verified: false })
    expect(mail?.to).toMatchObject([{ address: email }])
    expect(others).toEqual([])
    expect(opened.statusCode).toBe(200)
    expect(after).toMatchObject({ email, email_verified: true })
    expect(await verificationMails()).toHaveLength(2)
  },
)

onAnyDatabase('a verified email address gets no further verification email', async (stage) => {
  const server = await startAccountServer(stage, { confirmEmails: true })
  const { email, password } = { email: 'ann@example.org', password: `Zk2.${'A'.repeat(43)}` }
  await server.post('/api/register', { email, password })
  const [mail] = await server.emails()
  await server.post('/auth/v1/verify', { type: 'email', token_hash: parametersIn(mail ?? {}).get('token_hash') })

  expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
  expect(await server.emails()).toHaveLength(1)
})

onAnyDatabase('a server without email does not ask to verify an address', async (stage) => {
  const server = await startAccountServer(stage)
  const { email, password } = await server.createMember()

  expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
  expect(await server.emails()).toEqual([])
})

onAnyDatabase('an unverified email address does not make its user an admin', async (stage) => {
  const first = await startAccountServer(stage)
  await first.createMember()
  const { email, password } = await first.createMember()
  const server = await startAccountServer(stage, { confirmEmails: true, adminEmails: [email] })
  const admins = () => stage.db.selectFrom('admins').selectAll().execute()

  await server.post('/api/login', { email, password })
  const before = await admins()
  const [mail] = (await server.emails()).filter((one) => one.subject === subject)
  await server.post('/auth/v1/verify', { type: 'email', token_hash: parametersIn(mail ?? {}).get('token_hash') })
  await server.post('/api/login', { email, password })

  expect(before).toEqual([])
  expect(await admins()).toHaveLength(1)
})

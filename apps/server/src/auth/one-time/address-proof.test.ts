import { guessingLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { parametersIn, startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases } from '../../testing/databases.ts'

const subject = 'Please verify the email address of your account'

onBothDatabases(
  'an address that was registered while no mail was sent is asked for once mail is sent, and signs in meanwhile',
  async (stage) => {
    const { email, password } = await (await startAccounts(stage)).aMember()
    const server = await startAccounts(stage, { confirmAddresses: true })
    const identity = async () => {
      const { session } = (await server.post('/api/login', { email, password })).json()
      return session.user.identities[0].identity_data
    }
    const asked = async () => (await server.letters()).filter((letter) => letter.subject === subject)

    const before = await identity()
    await identity()
    const [letter, ...others] = await asked()
    stage.advance(guessingLimits.addressProofEveryMs)
    await identity()
    const [, latest] = await asked()
    const token_hash = parametersIn(latest ?? {}).get('token_hash')
    const opened = await server.post('/auth/v1/verify', { type: 'email', token_hash })
    const after = await identity()
    stage.advance(guessingLimits.addressProofEveryMs)
    await identity()

    expect(before).toMatchObject({ email, email_verified: false })
    expect(letter?.to).toMatchObject([{ address: email }])
    expect(others).toEqual([])
    expect(opened.statusCode).toBe(200)
    expect(after).toMatchObject({ email, email_verified: true })
    expect(await asked()).toHaveLength(2)
  },
)

onBothDatabases('an address that a mail has shown is not asked for again', async (stage) => {
  const server = await startAccounts(stage, { confirmAddresses: true })
  const { email, password } = { email: 'ann@example.org', password: `Zk2.${'A'.repeat(43)}` }
  await server.post('/api/register', { email, password })
  const [letter] = await server.letters()
  await server.post('/auth/v1/verify', { type: 'email', token_hash: parametersIn(letter ?? {}).get('token_hash') })

  expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
  expect(await server.letters()).toHaveLength(1)
})

onBothDatabases('without mail nobody is asked to confirm an address', async (stage) => {
  const server = await startAccounts(stage)
  const { email, password } = await server.aMember()

  expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
  expect(await server.letters()).toEqual([])
})

onBothDatabases('an address that no mail has shown makes nobody an admin', async (stage) => {
  const first = await startAccounts(stage)
  await first.aMember()
  const { email, password } = await first.aMember()
  const server = await startAccounts(stage, { confirmAddresses: true, adminEmails: [email] })
  const admins = () => stage.db.selectFrom('admins').selectAll().execute()

  await server.post('/api/login', { email, password })
  const before = await admins()
  const [letter] = (await server.letters()).filter((one) => one.subject === subject)
  await server.post('/auth/v1/verify', { type: 'email', token_hash: parametersIn(letter ?? {}).get('token_hash') })
  await server.post('/api/login', { email, password })

  expect(before).toEqual([])
  expect(await admins()).toHaveLength(1)
})

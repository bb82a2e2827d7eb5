import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { onAnyDatabase } from '../../../testing/engines/databases.ts'
import {
  type AccountServer,
  apiVersionHeader,
  randomCredential,
  randomEmail,
  startAccountServer,
} from '../../../testing/servers/account-server.ts'

const day = 24 * 60 * 60_000
const quarter = 15 * 60_000
const subject = 'Many wrong passwords for your account'
const { points: threshold } = rateLimits.signInFailuresPerDay
const { points: whileGuessed } = rateLimits.signInFailuresWhileGuessed

const from = (block: string) => ({ ...apiVersionHeader, 'x-forwarded-for': block })
const signIn = (server: AccountServer, email: string, password: string, block: string) =>
  server.post('/auth/v1/token?grant_type=password', { email, password }, from(block))

/** Enters wrong passwords for one email address, five from each IP address. */
async function guess(server: AccountServer, email: string, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < count; time += 1) {
    const block = `203.0.113.${1 + Math.floor(time / 5)}`
    statuses.push((await signIn(server, email, randomCredential(), block)).statusCode)
  }
  return statuses
}

const notices = async (server: AccountServer) => (await server.emails()).filter((mail) => mail.subject === subject)

onAnyDatabase('wrong passwords from many IP addresses send the owner one notice per day', async (stage) => {
  const server = await startAccountServer(stage)
  const { email } = await server.createMember()

  const statuses = await guess(server, email, threshold - 1)
  const before = await notices(server)
  await guess(server, email, 5)
  const after = await notices(server)
  stage.advance(day)
  await guess(server, email, threshold)

  expect(guessingLimits.passwordNoticeAfter).toBe(threshold)
  expect(new Set(statuses)).toEqual(new Set([400]))
  expect(before).toEqual([])
  expect(after).toMatchObject([{ to: [{ address: email }] }])
  expect(await notices(server)).toHaveLength(2)
})

onAnyDatabase(
  'past the threshold unknown IP addresses get 2 attempts per hour, and the owner’s address the usual number',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { email, password, refreshToken } = await server.createMember()
    const knownAddress = '198.51.100.7'
    await signIn(server, email, password, knownAddress)
    await guess(server, email, threshold)
    stage.advance(quarter)

    const fromUnknown = []
    for (let time = 0; time < whileGuessed + 1; time += 1) {
      fromUnknown.push((await signIn(server, email, randomCredential(), '192.0.2.1')).statusCode)
    }
    const fromKnown = []
    for (let time = 0; time < whileGuessed + 1; time += 1) {
      fromKnown.push((await signIn(server, email, randomCredential(), knownAddress)).statusCode)
    }
    const knownSignIn = await signIn(server, email, password, knownAddress)
    const newAddressSignIn = await signIn(server, email, password, '192.0.2.2')
    const signedInDevice = await server.refresh(refreshToken)

    expect(fromUnknown).toEqual([...Array.from({ length: whileGuessed }, () => 400), 429])
    expect(fromKnown).toEqual(Array.from({ length: whileGuessed + 1 }, () => 400))
    expect([knownSignIn.statusCode, newAddressSignIn.statusCode, signedInDevice.statusCode]).toEqual([200, 200, 200])
  },
)

onAnyDatabase('identifiers without an account are limited in the same way, and no email is sent', async (stage) => {
  const server = await startAccountServer(stage)
  const email = randomEmail()

  await guess(server, email, threshold)
  stage.advance(quarter)
  const statuses = []
  for (let time = 0; time < whileGuessed + 1; time += 1) {
    statuses.push((await signIn(server, email, randomCredential(), '192.0.2.1')).statusCode)
  }

  expect(statuses).toEqual([...Array.from({ length: whileGuessed }, () => 400), 429])
  expect(await server.emails()).toEqual([])
})

onAnyDatabase('the database contains no IP address from which an owner signed in', async (stage) => {
  const server = await startAccountServer(stage)
  const { email, password } = await server.createMember()
  await signIn(server, email, password, '198.51.100.7')

  const rows = await stage.db.selectFrom('known_origins').selectAll().execute()

  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain('198.51')
})

onAnyDatabase('T049 the window of wrong passwords starts with the first wrong one', async (stage) => {
  const server = await startAccountServer(stage)
  const { email, password } = await server.createMember()
  await signIn(server, email, password, '192.0.2.1')
  stage.advance(quarter - 1000)
  const statuses = []
  for (let time = 0; time < 10; time += 1) {
    statuses.push((await signIn(server, email, randomCredential(), '192.0.2.1')).statusCode)
  }
  stage.advance(1000)

  const eleventh = await signIn(server, email, randomCredential(), '192.0.2.1')

  expect(new Set(statuses)).toEqual(new Set([400]))
  expect(eleventh.statusCode).toBe(429)
})

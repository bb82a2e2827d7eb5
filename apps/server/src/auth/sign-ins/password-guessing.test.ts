import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { type AccountServer, aCredential, anEmail, datedForm, startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases } from '../../testing/databases.ts'

const day = 24 * 60 * 60_000
const quarter = 15 * 60_000
const subject = 'Many wrong passwords for your account'
const { points: threshold } = rateLimits.signInFailuresPerDay
const { points: whileGuessed } = rateLimits.signInFailuresWhileGuessed

const from = (block: string) => ({ ...datedForm, 'x-forwarded-for': block })
const signIn = (server: AccountServer, email: string, password: string, block: string) =>
  server.post('/auth/v1/token?grant_type=password', { email, password }, from(block))

/** Wrong passwords for one name, five from each address. */
async function guess(server: AccountServer, email: string, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < count; time += 1) {
    const block = `203.0.113.${1 + Math.floor(time / 5)}`
    statuses.push((await signIn(server, email, aCredential(), block)).statusCode)
  }
  return statuses
}

const notices = async (server: AccountServer) => (await server.letters()).filter((letter) => letter.subject === subject)

onBothDatabases('wrong passwords from many addresses send the owner one notice a day', async (stage) => {
  const server = await startAccounts(stage)
  const { email } = await server.aMember()

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

onBothDatabases(
  'past the threshold unknown addresses get two attempts an hour, and the owner’s own address all of them',
  async (stage) => {
    const server = await startAccounts(stage)
    const { email, password, refreshToken } = await server.aMember()
    const home = '198.51.100.7'
    await signIn(server, email, password, home)
    await guess(server, email, threshold)
    stage.advance(quarter)

    const abroad = []
    for (let time = 0; time < whileGuessed + 1; time += 1) {
      abroad.push((await signIn(server, email, aCredential(), '192.0.2.1')).statusCode)
    }
    const mistyped = []
    for (let time = 0; time < whileGuessed + 1; time += 1) {
      mistyped.push((await signIn(server, email, aCredential(), home)).statusCode)
    }
    const atHome = await signIn(server, email, password, home)
    const newPlace = await signIn(server, email, password, '192.0.2.2')
    const signedInDevice = await server.refresh(refreshToken)

    expect(abroad).toEqual([...Array.from({ length: whileGuessed }, () => 400), 429])
    expect(mistyped).toEqual(Array.from({ length: whileGuessed + 1 }, () => 400))
    expect([atHome.statusCode, newPlace.statusCode, signedInDevice.statusCode]).toEqual([200, 200, 200])
  },
)

onBothDatabases('names without an account are limited in the same way, and no mail goes out', async (stage) => {
  const server = await startAccounts(stage)
  const email = anEmail()

  await guess(server, email, threshold)
  stage.advance(quarter)
  const statuses = []
  for (let time = 0; time < whileGuessed + 1; time += 1) {
    statuses.push((await signIn(server, email, aCredential(), '192.0.2.1')).statusCode)
  }

  expect(statuses).toEqual([...Array.from({ length: whileGuessed }, () => 400), 429])
  expect(await server.letters()).toEqual([])
})

onBothDatabases('the database holds no address from which an owner signed in', async (stage) => {
  const server = await startAccounts(stage)
  const { email, password } = await server.aMember()
  await signIn(server, email, password, '198.51.100.7')

  const rows = await stage.db.selectFrom('known_origins').selectAll().execute()

  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain('198.51')
})

onBothDatabases('T049 the window of wrong passwords begins with the first wrong one', async (stage) => {
  const server = await startAccounts(stage)
  const { email, password } = await server.aMember()
  await signIn(server, email, password, '192.0.2.1')
  stage.advance(quarter - 1000)
  const statuses = []
  for (let time = 0; time < 10; time += 1) {
    statuses.push((await signIn(server, email, aCredential(), '192.0.2.1')).statusCode)
  }
  stage.advance(1000)

  const eleventh = await signIn(server, email, aCredential(), '192.0.2.1')

  expect(new Set(statuses)).toEqual(new Set([400]))
  expect(eleventh.statusCode).toBe(429)
})

import { expect, test } from 'vitest'
import { aCredential, anEmail, codeIn, datedForm, startAccounts } from '../testing/account-server.ts'
import { onBothDatabases } from '../testing/databases.ts'
import { appCode } from '../testing/provider-suite.ts'
import { printPage, printPlain } from './letter-pages.ts'
import { noticeWording, securityEvents } from './notice-wording.ts'
import { createSecurityNotices } from './security-notices.ts'

test('every security notice says what happened, when and what to do, and has no link and no code', () => {
  const at = Date.UTC(2026, 10, 22, 16, 5)
  for (const event of securityEvents) {
    const wording = noticeWording(event, at)
    const plain = printPlain(wording)

    expect(plain, event).toContain('on 22 November 2026 at 16:05 UTC.')
    expect(plain, event).toMatch(/If this wasn’t you/)
    expect(wording.subject.length, event).toBeLessThan(60)
    expect([wording.button, wording.code], event).toEqual([undefined, undefined])
    expect(`${plain}${printPage(wording)}`, event).not.toMatch(/https?:|href|\b\d{6}\b(?!.*color)/)
  }
})

test('a notice that cannot be queued is logged without its address and fails nothing', async () => {
  const logged: object[] = []
  const notices = createSecurityNotices({
    post: { mail: () => Promise.reject(new Error('the database is away')) },
    now: Date.now,
    log: { error: (entry: object) => void logged.push(entry) },
  })

  await notices.send('ann@example.org', 'recovery-key-removed')
  await notices.send(null, 'recovery-key-removed')

  expect(logged).toMatchObject([{ event: 'recovery-key-removed' }])
  expect(JSON.stringify(logged)).not.toContain('ann@')
})

onBothDatabases(
  'the owner gets a mail when a method is added and removed and when codes are replaced',
  async (stage) => {
    const server = await startAccounts(stage)
    const { email, bearer } = await server.aMember()
    const dated = { ...bearer, ...datedForm }
    const { id, totp } = (await server.post('/auth/v1/factors', { factor_type: 'totp' }, dated)).json()
    const challenge = await server.post(`/auth/v1/factors/${id}/challenge`, {}, dated)
    const shown = { challenge_id: challenge.json().id, code: appCode(totp.secret, stage.now()) }
    const { access_token } = (await server.post(`/auth/v1/factors/${id}/verify`, shown, dated)).json()
    const raised = { authorization: `Bearer ${access_token}` }
    await server.post('/api/account/backup-codes', {}, raised)
    await server.remove(`/auth/v1/factors/${id}`, raised)

    const letters = await server.letters()

    expect(letters.map(({ subject }) => subject)).toEqual([
      'Two-factor authentication method added',
      'Your backup codes were replaced',
      'Two-factor authentication method removed',
    ])
    for (const letter of letters) {
      expect(letter.to).toEqual([{ address: email, name: '' }])
      expect(`${letter.text}${letter.html}`).not.toContain(totp.secret)
    }
  },
)

onBothDatabases('a change of address sends a notice to the old one, once the new one is confirmed', async (stage) => {
  const server = await startAccounts(stage, { confirmAddresses: true })
  const email = anEmail()
  const password = aCredential()
  await server.provider.createUser({ email, credential: password, confirmed: true })
  const { session } = (await server.post('/api/login', { email, password })).json()
  const bearer = { authorization: `Bearer ${session.access_token}` }
  const next = anEmail()
  await server.put('/auth/v1/user', { email: next, current_password: password }, { ...bearer, ...datedForm })
  const halves = await server.letters()
  for (const half of halves) {
    const answer = { type: 'email_change', email: half.to?.[0]?.address, token: codeIn(half.text) }
    await server.post('/auth/v1/verify', answer, datedForm)
  }

  const [notice, ...others] = (await server.letters()).slice(halves.length)

  expect(halves.map(({ to }) => to?.[0]?.address).sort()).toEqual([email, next].sort())
  expect(notice).toMatchObject({ subject: 'Your email address was changed', to: [{ address: email }] })
  expect(notice?.text).not.toContain(next)
  expect(others).toEqual([])
})

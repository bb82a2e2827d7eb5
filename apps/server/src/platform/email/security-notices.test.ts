import { expect, test } from 'vitest'
import { onAnyDatabase } from '../../testing/engines/databases.ts'
import { appCode } from '../../testing/provider-suite.ts'
import {
  apiVersionHeader,
  codeIn,
  randomCredential,
  randomEmail,
  startAccountServer,
} from '../../testing/servers/account-server.ts'
import { renderHtml, renderPlainText } from './email-rendering.ts'
import { getNoticeContent, securityEvents } from './security-notice-templates.ts'
import { createSecurityNotices } from './security-notices.ts'

test('every security notice says what happened, when and what to do, and has no link and no code', () => {
  const at = Date.UTC(2026, 10, 22, 16, 5)
  for (const event of securityEvents) {
    const content = getNoticeContent(event, at)
    const plainText = renderPlainText(content)

    expect(plainText, event).toContain('on 22 November 2026 at 16:05 UTC.')
    expect(plainText, event).toMatch(/If (this wasn’t you|you didn’t ask for this)/)
    expect(content.subject.length, event).toBeLessThan(60)
    expect([content.button, content.code], event).toEqual([undefined, undefined])
    expect(`${plainText}${renderHtml(content)}`, event).not.toMatch(/https?:|href|\b\d{6}\b(?!.*color)/)
  }
})

test('a notice that cannot be queued is logged without its address and does not throw', async () => {
  const logged: object[] = []
  const notices = createSecurityNotices({
    emailService: { queueEmail: () => Promise.reject(new Error('database unavailable')) },
    now: Date.now,
    log: { error: (entry: object) => void logged.push(entry) },
  })

  await notices.send('ann@example.org', 'recovery-key-removed')
  await notices.send(null, 'recovery-key-removed')

  expect(logged).toMatchObject([{ event: 'recovery-key-removed' }])
  expect(JSON.stringify(logged)).not.toContain('ann@')
})

onAnyDatabase('adding and removing a method and replacing backup codes send emails to the owner', async (stage) => {
  const server = await startAccountServer(stage)
  const { email, bearer } = await server.createMember()
  const dated = { ...bearer, ...apiVersionHeader }
  const { id, totp } = (await server.post('/auth/v1/factors', { factor_type: 'totp' }, dated)).json()
  const challenge = await server.post(`/auth/v1/factors/${id}/challenge`, {}, dated)
  const shown = { challenge_id: challenge.json().id, code: appCode(totp.secret, stage.now()) }
  const { access_token } = (await server.post(`/auth/v1/factors/${id}/verify`, shown, dated)).json()
  const raised = { authorization: `Bearer ${access_token}` }
  await server.post('/api/account/backup-codes', {}, raised)
  await server.remove(`/auth/v1/factors/${id}`, raised)

  const emails = await server.emails()

  expect(emails.map(({ subject }) => subject)).toEqual([
    'Two-factor authentication method added',
    'Your backup codes were replaced',
    'Two-factor authentication method removed',
  ])
  for (const message of emails) {
    expect(message.to).toEqual([{ address: email, name: '' }])
    expect(`${message.text}${message.html}`).not.toContain(totp.secret)
  }
})

onAnyDatabase('an email change sends a notice to the old address once both are confirmed', async (stage) => {
  const server = await startAccountServer(stage, { confirmEmails: true })
  const email = randomEmail()
  const password = randomCredential()
  await server.provider.createUser({ email, credential: password, confirmed: true })
  const { session } = (await server.post('/api/login', { email, password })).json()
  const bearer = { authorization: `Bearer ${session.access_token}` }
  const next = randomEmail()
  await server.put('/auth/v1/user', { email: next, current_password: password }, { ...bearer, ...apiVersionHeader })
  const confirmations = await server.emails()
  for (const confirmation of confirmations) {
    const answer = { type: 'email_change', email: confirmation.to?.[0]?.address, token: codeIn(confirmation.text) }
    await server.post('/auth/v1/verify', answer, apiVersionHeader)
  }

  const [notice, ...others] = (await server.emails()).slice(confirmations.length)

  expect(confirmations.map(({ to }) => to?.[0]?.address).sort()).toEqual([email, next].sort())
  expect(notice).toMatchObject({ subject: 'Your email address was changed', to: [{ address: email }] })
  expect(notice?.text).not.toContain(next)
  expect(others).toEqual([])
})

onAnyDatabase('a password that is set with a service key is reported to the owner', async (stage) => {
  const server = await startAccountServer(stage)
  const { email, userId } = await server.createMember()
  const service = { authorization: `Bearer ${await server.provider.issueServiceKey(3600)}` }

  await server.put(`/auth/v1/admin/users/${userId}`, { user_metadata: { note: 'x' } }, service)
  expect(await server.emails()).toEqual([])
  const changed = await server.put(`/auth/v1/admin/users/${userId}`, { password: randomCredential() }, service)

  expect(changed.statusCode).toBe(200)
  expect((await server.emails()).map(({ to, subject }) => [to?.[0]?.address, subject])).toEqual([
    [email, 'An administrator set a new password for your account'],
  ])
})

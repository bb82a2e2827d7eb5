import { rateLimits } from '@sallyport/contract/server-limits'
import { expect, inject, test } from 'vitest'
import { startMailServer } from '../../testing/engines/mail-server.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { codeIn, randomCredential } from '../../testing/servers/account-server.ts'
import { startTwoNodes } from '../../testing/servers/two-nodes.ts'
import type { WholeServer } from '../../testing/servers/whole-server.ts'

const redis = useRedis()

async function startNodes() {
  const databaseUrl = await (await fetch(`${inject('databaseServer')}/postgres`)).text()
  const mail = await startMailServer()
  const environment = {
    DATABASE_URL: databaseUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    SMTP_URL: mail.url,
    VERIFY_ADDRESSES: 'off',
  }
  return { nodes: await startTwoNodes(redis.url, environment), mail }
}

function post({ url }: WholeServer, path: string, body: object, block: string) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': block }
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

test('two nodes share the limit of 20 wrong emailed codes per day; after it only the link signs in', async () => {
  const { nodes, mail } = await startNodes()
  const { email } = await nodes[0].createMember()
  const recover = async (round: number) => {
    const node = nodes[round % 2] ?? nodes[0]
    expect((await post(node, '/auth/v1/recover', { email }, `198.51.100.${round + 1}`)).status).toBe(200)
    const countMails = () => mail.emails.filter(({ subject }) => subject === 'Choose a new password').length
    await expect.poll(countMails).toBe(round + 1)
    return mail.emails.findLast(({ subject }) => subject === 'Choose a new password')?.text ?? ''
  }
  const verify = (body: object, round: number) =>
    post(nodes[round % 2] ?? nodes[0], '/auth/v1/verify', { type: 'recovery', ...body }, `203.0.113.${round + 1}`)

  const { points } = rateLimits.oneTimeCodeFailuresPerAccount
  for (let guess = 0; guess < points; guess += 1) {
    if (guess % 5 === 0) await recover(guess / 5)
    const right = codeIn(mail.emails.at(-1)?.text)
    expect((await verify({ email, token: right === '000000' ? '000001' : '000000' }, guess)).status).toBe(403)
  }
  const text = await recover(points / 5)
  const byCode = await verify({ email, token: codeIn(text) }, 1)
  const token_hash = /#token=([\w-]+)/.exec(text)?.[1]
  const byLink = await verify({ token_hash }, 2)

  expect([byCode.status, byLink.status]).toEqual([403, 200])
  await expect.poll(() => mail.emails.map(({ subject }) => subject)).toContain('Many wrong codes from our emails')
})

test('two nodes share the threshold of wrong passwords and send one notice', async () => {
  const { nodes, mail } = await startNodes()
  const { email } = await nodes[0].createMember()
  const signIn = (round: number, block: string) =>
    post(nodes[round % 2] ?? nodes[0], '/api/login', { email, password: randomCredential() }, block)

  const { points } = rateLimits.signInFailuresPerDay
  for (let guess = 0; guess < points; guess += 1) {
    expect((await signIn(guess, `203.0.113.${Math.floor(guess / 5)}`)).status).toBe(401)
  }
  const statuses = []
  for (let guess = 0; guess < 3; guess += 1) statuses.push((await signIn(guess, '192.0.2.1')).status)

  expect(statuses).toEqual([401, 401, 429])
  const notices = () => mail.emails.filter(({ subject }) => subject === 'Many wrong passwords for your account')
  await expect.poll(notices).toHaveLength(1)
})

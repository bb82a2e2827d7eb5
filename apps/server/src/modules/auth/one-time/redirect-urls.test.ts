import { expect } from 'vitest'
import { onEmbeddedDatabase } from '../../../testing/engines/databases.ts'
import { linkIn, randomCredential, randomEmail, startAccountServer } from '../../../testing/servers/account-server.ts'

const home = 'http://sallyport.test/'
const challenge = { code_challenge: 'A'.repeat(43), code_challenge_method: 's256' }

/** Each URL looks like one of ours to some parser, but leads elsewhere or contains credentials. */
const hostileUrls = [
  'https://evil.test/',
  '//evil.test/',
  '/\\evil.test/',
  '\\\\evil.test/',
  '/\t/evil.test/',
  '\t//evil.test/',
  'ht\ntp://evil.test/',
  ' //evil.test/',
  'http:///evil.test/',
  'http:evil.test',
  'http://sallyport.test@evil.test/',
  'http://sallyport.test:80@evil.test/',
  'http://somebody:secret@sallyport.test/',
  'http://sallyport.test.evil.test/',
  'http://sallyport.test:8080/',
  'https://sallyport.test/',
  'http://\u0455allyport.test/',
  'javascript:alert(1)//http://sallyport.test/',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:http://sallyport.test/8c1f7b1e-0000-4000-8000-000000000000',
  'filesystem:http://sallyport.test/temporary/x.html',
  'file:///etc/passwd',
  'http://[',
]

onEmbeddedDatabase('T181 a link redirects to our own origin, whatever redirect was requested', async (stage) => {
  const server = await startAccountServer(stage)
  const locationOf = async (redirectTo: string) => {
    const query = new URLSearchParams({ token: 'pkce_abc', type: 'signup', redirect_to: redirectTo })
    const { statusCode, headers } = await server.get(`/auth/v1/verify?${query}`)
    return [statusCode, headers.location]
  }

  for (const redirectTo of hostileUrls) {
    const [status, location] = await locationOf(redirectTo)
    // A path that only looks like a host is on our origin; everything else redirects to the front page.
    const { origin, username, password } = new URL(String(location))
    expect([status, origin, username, password], JSON.stringify(redirectTo)).toEqual([
      303,
      'http://sallyport.test',
      '',
      '',
    ])
    expect(String(location)).not.toMatch(/^(javascript|data|blob|file)/)
  }
  expect(await locationOf('/settings?tab=1')).toEqual([303, `${home}settings?tab=1&code=pkce_abc`])
  expect(await locationOf(`${home}files`)).toEqual([303, `${home}files?code=pkce_abc`])
})

onEmbeddedDatabase('T181 an email contains no foreign redirect URL', async (stage) => {
  const server = await startAccountServer(stage, { confirmEmails: true, strict: false })

  for (const [position, redirectTo] of hostileUrls.entries()) {
    const email = randomEmail()
    const query = new URLSearchParams({ redirect_to: redirectTo })
    const body = { email, password: randomCredential(), ...challenge }
    const headers = { 'x-forwarded-for': `198.51.100.${position + 1}` }
    expect((await server.post(`/auth/v1/signup?${query}`, body, headers)).statusCode, redirectTo).toBe(200)
  }
  const mails = await server.emails()

  expect(mails).toHaveLength(hostileUrls.length)
  for (const mail of mails) {
    const link = linkIn(mail)
    expect(link.origin + link.pathname).toBe('http://sallyport.test/auth/v1/verify')
    const { origin, username } = new URL(link.searchParams.get('redirect_to') ?? '')
    expect([origin, username]).toEqual(['http://sallyport.test', ''])
    expect(`${mail.text}${mail.html}`).not.toMatch(/javascript:|data:text|blob:|secret@/)
  }
})

import { expect } from 'vitest'
import { aCredential, anEmail, linkIn, startAccounts } from '../../testing/account-server.ts'
import { onEmbeddedDatabase } from '../../testing/databases.ts'

const home = 'http://sallyport.test/'
const challenge = { code_challenge: 'A'.repeat(43), code_challenge_method: 's256' }

/** Each looks like an address of ours to somebody, and leads elsewhere or carries what it should not. */
const hostile = [
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

onEmbeddedDatabase('T181 a link leads to an address of ours, whatever address was asked for', async (stage) => {
  const server = await startAccounts(stage)
  const locationOf = async (wanted: string) => {
    const query = new URLSearchParams({ token: 'pkce_abc', type: 'signup', redirect_to: wanted })
    const { statusCode, headers } = await server.get(`/auth/v1/verify?${query}`)
    return [statusCode, headers.location]
  }

  for (const wanted of hostile) {
    const [status, location] = await locationOf(wanted)
    // A path that only looks like a host is one of ours; everything else leads to the front page.
    const { origin, username, password } = new URL(String(location))
    expect([status, origin, username, password], JSON.stringify(wanted)).toEqual([303, 'http://sallyport.test', '', ''])
    expect(String(location)).not.toMatch(/^(javascript|data|blob|file)/)
  }
  expect(await locationOf('/settings?tab=1')).toEqual([303, `${home}settings?tab=1&code=pkce_abc`])
  expect(await locationOf(`${home}files`)).toEqual([303, `${home}files?code=pkce_abc`])
})

onEmbeddedDatabase('T181 a letter carries no address that somebody else asked for', async (stage) => {
  const server = await startAccounts(stage, { confirmAddresses: true, strict: false })

  for (const [position, wanted] of hostile.entries()) {
    const email = anEmail()
    const query = new URLSearchParams({ redirect_to: wanted })
    const asked = { email, password: aCredential(), ...challenge }
    const headers = { 'x-forwarded-for': `198.51.100.${position + 1}` }
    expect((await server.post(`/auth/v1/signup?${query}`, asked, headers)).statusCode, wanted).toBe(200)
  }
  const letters = await server.letters()

  expect(letters).toHaveLength(hostile.length)
  for (const letter of letters) {
    const link = linkIn(letter)
    expect(link.origin + link.pathname).toBe('http://sallyport.test/auth/v1/verify')
    const { origin, username } = new URL(link.searchParams.get('redirect_to') ?? '')
    expect([origin, username]).toEqual(['http://sallyport.test', ''])
    expect(`${letter.text}${letter.html}`).not.toMatch(/javascript:|data:text|blob:|secret@/)
  }
})

import { createHmac, generateKeyPairSync } from 'node:crypto'
import { base64url, decodeJwt, decodeProtectedHeader, exportJWK, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { aFolder } from '../../testing/folder.ts'
import { createAccessTokens } from './access-tokens.ts'
import { openSigningKeys } from './signing-keys.ts'

const issuer = 'https://sallyport.test/auth/v1'
const hour = 3_600_000
const start = 1_800_000_000_000

const holder = {
  sub: '0190a3b4-0000-7000-8000-000000000001',
  session_id: '0190a3b4-0000-7000-8000-000000000002',
  email: 'ann@example.org',
  phone: '',
  aal: 'aal1',
  amr: [{ method: 'password', timestamp: 1_800_000_000 }],
  app_metadata: { provider: 'email', providers: ['email'] },
  user_metadata: {},
  is_anonymous: false,
}

async function install() {
  const keys = await openSigningKeys(aFolder())
  let time = start
  const tokens = createAccessTokens({ keys, issuer, now: () => time, foreignServiceKeys: false })
  const { token } = await tokens.issue(holder)
  const kid = keys.kid ?? ''
  return {
    keys,
    kid,
    tokens,
    token,
    setTime: (ms: number) => {
      time = ms
    },
  }
}

const encode = (part: object): string => base64url.encode(JSON.stringify(part))
const seconds = start / 1000
const claims = {
  ...holder,
  iss: issuer,
  aud: 'authenticated',
  role: 'authenticated',
  iat: seconds,
  exp: seconds + 3600,
}

test('a token of ours says whose it is', async () => {
  const { tokens, token } = await install()

  const checked = await tokens.check(token)

  expect(checked).toEqual({ userId: holder.sub, signInId: holder.session_id })
  expect(decodeJwt(token)).toEqual(claims)
})

test('T067 a token without a signature is refused', async () => {
  const { tokens, kid } = await install()

  expect(await tokens.check(`${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`)).toBeNull()
  expect(await tokens.check(`${encode({ alg: 'none', kid })}.${encode(claims)}.`)).toBeNull()
})

test('T067 a token signed with the public key as if it were a shared secret is refused', async () => {
  const { tokens, keys, kid } = await install()
  const secret = keys.checking.get(kid)?.export({ type: 'spki', format: 'pem' }) ?? ''
  const unsigned = `${encode({ alg: 'HS256', kid, typ: 'JWT' })}.${encode(claims)}`

  const forged = `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`

  expect(await tokens.check(forged)).toBeNull()
})

test('T067 a key that the token itself brings or points to is not believed', async () => {
  const { tokens, kid } = await install()
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = await exportJWK(publicKey)
  const headers = [
    { alg: 'ES256', jwk },
    { alg: 'ES256', kid, jwk },
    { alg: 'ES256', kid: 'foreign', jku: 'https://evil.test/keys.json' },
    { alg: 'ES256', kid, x5u: 'https://evil.test/cert.pem' },
  ]

  for (const header of headers) {
    const forged = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
    expect(await tokens.check(forged)).toBeNull()
  }
})

test('T067 a token whose signature was cut, swapped or belongs to other claims is refused', async () => {
  const { tokens, token } = await install()
  const [head, body, signature = ''] = token.split('.')
  const raised = encode({ ...claims, sub: '0190a3b4-0000-7000-8000-00000000000f' })

  for (const forged of [
    `${head}.${body}.${signature.slice(0, -4)}`,
    `${head}.${body}.`,
    `${head}.${body}`,
    `${head}.${raised}.${signature}`,
    `${head}.${body}.${'A'.repeat(86)}`,
    '',
    '..',
  ]) {
    expect(await tokens.check(forged)).toBeNull()
  }
})

test('T068 a token is good for its hour and 30 s of leeway, and not before it was made', async () => {
  const { tokens, token, setTime } = await install()
  const goodAt = async (ms: number) => {
    setTime(ms)
    return (await tokens.check(token)) !== null
  }

  expect(await goodAt(start + hour + 29_000)).toBe(true)
  expect(await goodAt(start + hour + 31_000)).toBe(false)
  expect(await goodAt(start - 29_000)).toBe(true)
  expect(await goodAt(start - 31_000)).toBe(false)
})

test('T069 a token of another installation is refused, whether by its key or by its address', async () => {
  const { tokens, keys } = await install()
  const elsewhere = await install()
  const moved = createAccessTokens({
    keys,
    issuer: 'https://other.test/auth/v1',
    now: () => start,
    foreignServiceKeys: false,
  })

  expect(await tokens.check(elsewhere.token)).toBeNull()
  expect(await tokens.check((await moved.issue(holder)).token)).toBeNull()
})

test.each([
  ['audience', { aud: 'anybody' }],
  ['role', { role: 'anon' }],
  ['service role', { role: 'service_role' }],
  ['user', { sub: 'ann' }],
  ['sign-in', { session_id: 'none' }],
  ['end', { exp: seconds - 60 }],
  ['life of a year', { iat: seconds - 7200, exp: seconds + 31_536_000 }],
])('T067 a token that we signed with another %s is refused', async (_, change) => {
  const { tokens, keys, token } = await install()
  const header = decodeProtectedHeader(token)

  const odd = await new SignJWT({ ...claims, ...change })
    .setProtectedHeader({ ...header, alg: 'ES256' })
    .sign(keys.signing)

  expect(await tokens.check(odd)).toBeNull()
})

test('T068 a token that was good a moment ago is refused once its time is over, and before it began', async () => {
  const { tokens, token, setTime } = await install()
  await tokens.check(token)

  const answers = []
  for (const time of [start + hour - 1, start + hour + 31_000, start - 31_000, start + 1000]) {
    setTime(time)
    answers.push((await tokens.check(token)) !== null)
  }

  expect(answers).toEqual([true, false, false, true])
})

test('T067 the signature of another token does not pass for one that was checked', async () => {
  const { tokens, token } = await install()
  await tokens.check(token)

  const [header, , signature] = token.split('.')
  const forged = [header, encode({ ...claims, sub: '0190a3b4-0000-7000-8000-000000000009' }), signature].join('.')

  expect(await tokens.check(forged)).toBeNull()
  expect(await tokens.check(`${token.slice(0, -4)}AAAA`)).toBeNull()
})

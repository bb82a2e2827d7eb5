import { createHmac, generateKeyPairSync } from 'node:crypto'
import { base64url, decodeJwt, decodeProtectedHeader, exportJWK, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createTestFolder } from '../../../testing/test-folder.ts'
import { createAccessTokens } from './access-tokens.ts'
import { openSigningKeys } from './signing-keys.ts'

const issuer = 'https://sallyport.test/auth/v1'
const hour = 3_600_000
const start = 1_800_000_000_000

const userClaims = {
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

async function createTokens() {
  const keys = await openSigningKeys(createTestFolder())
  let time = start
  const tokens = createAccessTokens({ keys, issuer, now: () => time, allowAnyServiceKeyIssuer: false })
  const { token } = await tokens.issue(userClaims)
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
  ...userClaims,
  iss: issuer,
  aud: 'authenticated',
  role: 'authenticated',
  iat: seconds,
  exp: seconds + 3600,
}

test('a token identifies its user and auth session', async () => {
  const { tokens, token } = await createTokens()

  const checked = await tokens.verify(token)

  expect(checked).toEqual({ userId: userClaims.sub, authSessionId: userClaims.session_id })
  expect(decodeJwt(token)).toEqual(claims)
})

test('T067 a token without a signature is rejected', async () => {
  const { tokens, kid } = await createTokens()

  expect(await tokens.verify(`${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`)).toBeNull()
  expect(await tokens.verify(`${encode({ alg: 'none', kid })}.${encode(claims)}.`)).toBeNull()
})

test('T067 a token signed with the public key as an HMAC secret is rejected', async () => {
  const { tokens, keys, kid } = await createTokens()
  const secret = keys.verificationKeys.get(kid)?.export({ type: 'spki', format: 'pem' }) ?? ''
  const unsigned = `${encode({ alg: 'HS256', kid, typ: 'JWT' })}.${encode(claims)}`

  const forged = `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`

  expect(await tokens.verify(forged)).toBeNull()
})

test('T067 a key that the token itself contains or references is not trusted', async () => {
  const { tokens, kid } = await createTokens()
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
    expect(await tokens.verify(forged)).toBeNull()
  }
})

test('T067 a token with a truncated or swapped signature or other claims is rejected', async () => {
  const { tokens, token } = await createTokens()
  const [head, body, signature = ''] = token.split('.')
  const otherBody = encode({ ...claims, sub: '0190a3b4-0000-7000-8000-00000000000f' })

  for (const forged of [
    `${head}.${body}.${signature.slice(0, -4)}`,
    `${head}.${body}.`,
    `${head}.${body}`,
    `${head}.${otherBody}.${signature}`,
    `${head}.${body}.${'A'.repeat(86)}`,
    '',
    '..',
  ]) {
    expect(await tokens.verify(forged)).toBeNull()
  }
})

test('T068 a token is valid for 1 hour with 30 s of clock tolerance, and not before it was issued', async () => {
  const { tokens, token, setTime } = await createTokens()
  const isValidAt = async (ms: number) => {
    setTime(ms)
    return (await tokens.verify(token)) !== null
  }

  expect(await isValidAt(start + hour + 29_000)).toBe(true)
  expect(await isValidAt(start + hour + 31_000)).toBe(false)
  expect(await isValidAt(start - 29_000)).toBe(true)
  expect(await isValidAt(start - 31_000)).toBe(false)
})

test('T069 a token of another installation is rejected by its key or by its issuer', async () => {
  const { tokens, keys } = await createTokens()
  const elsewhere = await createTokens()
  const otherIssuer = createAccessTokens({
    keys,
    issuer: 'https://other.test/auth/v1',
    now: () => start,
    allowAnyServiceKeyIssuer: false,
  })

  expect(await tokens.verify(elsewhere.token)).toBeNull()
  expect(await tokens.verify((await otherIssuer.issue(userClaims)).token)).toBeNull()
})

test.each([
  ['audience', { aud: 'anybody' }],
  ['role', { role: 'anon' }],
  ['service role', { role: 'service_role' }],
  ['user', { sub: 'ann' }],
  ['auth session', { session_id: 'none' }],
  ['expiry', { exp: seconds - 60 }],
  ['lifetime', { iat: seconds - 7200, exp: seconds + 31_536_000 }],
])('T067 a token signed with our key but with another %s is rejected', async (_, change) => {
  const { tokens, keys, token } = await createTokens()
  const header = decodeProtectedHeader(token)

  const modified = await new SignJWT({ ...claims, ...change })
    .setProtectedHeader({ ...header, alg: 'ES256' })
    .sign(keys.signingKey)

  expect(await tokens.verify(modified)).toBeNull()
})

test('T068 a cached token is rejected after it expires and before it is valid', async () => {
  const { tokens, token, setTime } = await createTokens()
  await tokens.verify(token)

  const results = []
  for (const time of [start + hour - 1, start + hour + 31_000, start - 31_000, start + 1000]) {
    setTime(time)
    results.push((await tokens.verify(token)) !== null)
  }

  expect(results).toEqual([true, false, false, true])
})

test('T067 a verified signature is not accepted for another token', async () => {
  const { tokens, token } = await createTokens()
  await tokens.verify(token)

  const [header, , signature] = token.split('.')
  const forged = [header, encode({ ...claims, sub: '0190a3b4-0000-7000-8000-000000000009' }), signature].join('.')

  expect(await tokens.verify(forged)).toBeNull()
  expect(await tokens.verify(`${token.slice(0, -4)}AAAA`)).toBeNull()
})

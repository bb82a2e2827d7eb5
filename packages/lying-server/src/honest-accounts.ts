import type { KeySlot } from '@sallyport/contract/account-keys'
import type { ServerRequest } from './server.ts'

type Json = Record<string, unknown>

interface StoredAccount {
  readonly id: string
  readonly email: string
  credential: string
  slots: KeySlot[]
  recovery: { keyVersion: number; wrappedKey: string; createdAt: number } | null
  device: { deviceId: string; share: string } | null
}

const createdAt = '2026-11-22T12:00:00.000Z'
const base64url = (bytes: Uint8Array | string) =>
  btoa(typeof bytes === 'string' ? bytes : String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const random = (length: number) => base64url(crypto.getRandomValues(new Uint8Array(length)))

/** One in-memory account of an honest server and its authentication provider. */
export function serveAccounts(): (request: ServerRequest) => unknown {
  const salt = random(16)
  let account: StoredAccount | null = null

  const user = ({ id, email }: StoredAccount) => ({
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    app_metadata: {},
    user_metadata: {},
    identities: [],
    is_anonymous: false,
    created_at: createdAt,
    updated_at: createdAt,
  })

  function createAuthSession(stored: StoredAccount) {
    const expires = 4_000_000_000
    const claims = { sub: stored.id, exp: expires, session_id: random(12), aal: 'aal1', role: 'authenticated' }
    const token = [base64url('{"alg":"ES256","typ":"JWT"}'), base64url(JSON.stringify(claims)), random(64)].join('.')
    const tokens = { access_token: token, token_type: 'bearer', refresh_token: random(12) }
    return { ...tokens, expires_in: 3600, expires_at: expires, user: user(stored) }
  }

  function register({ email, password }: Json) {
    account = {
      id: crypto.randomUUID(),
      email: String(email),
      credential: String(password),
      slots: [],
      recovery: null,
      device: null,
    }
    return { success: true, user: { id: account.id, email: account.email }, message: '' }
  }

  function login(stored: StoredAccount, { password }: Json) {
    if (password !== stored.credential) return errorResponse(401, 'INVALID_CREDENTIALS')
    const { id, email } = stored
    return {
      success: true,
      session: createAuthSession(stored),
      user: { id, email },
      upgrade_required: false,
      trial_expired: false,
    }
  }

  function stage(stored: StoredAccount, { keyVersion, profile, wrappedKey }: Json) {
    const slot = (stored.slots.at(-1)?.slot ?? 0) + 1
    stored.slots.push({ slot, keyVersion, profile, wrappedKey } as KeySlot)
    return { success: true, slot }
  }

  function commit(stored: StoredAccount, { slot }: Json) {
    const staged = stored.slots.find((one) => one.slot === slot)
    if (!staged) return errorResponse(409, 'KEYS_NOT_STAGED')
    if (staged.keyVersion !== stored.slots[0]?.keyVersion) stored.recovery = null
    stored.slots = [{ ...staged, slot: 1 }]
    stored.device = null
    return { success: true, lostFiles: 0 }
  }

  return ({ name, json }) => {
    if (name === 'POST /api/auth/prelogin') return { success: true, salt, profiles: [2] }
    if (name === 'POST /api/register') return register(json)
    if (!account) return errorResponse(401, 'INVALID_CREDENTIALS')
    switch (name) {
      case 'POST /api/login':
        return login(account, json)
      case 'POST /api/account/reauthenticate':
        if (json['password'] !== account.credential) return errorResponse(403, 'PASSWORD_INVALID')
        return { success: true, freshForMs: 300_000 }
      case 'GET /api/account/keys':
        return { success: true, slots: account.slots, recovery: account.recovery }
      case 'PUT /api/account/keys':
        if (account.slots.length > 0) return errorResponse(412, 'KEYS_EXIST')
        account.slots = [{ slot: 1, ...(json as Omit<KeySlot, 'slot'>) }]
        return { success: true }
      case 'POST /api/account/keys/staged':
        return stage(account, json)
      case 'POST /api/account/keys/commit':
        return commit(account, json)
      case 'PUT /api/account/recovery-key':
        account.recovery = { ...(json as { keyVersion: number; wrappedKey: string }), createdAt: 1 }
        return { success: true }
      case 'POST /api/device-unlock':
        account.device = { deviceId: crypto.randomUUID(), share: random(32) }
        return { success: true, ...account.device }
      case 'GET /api/device-unlock':
        return account.device ? { success: true, ...account.device } : errorResponse(404, 'DEVICE_NOT_REMEMBERED')
      case 'PUT /auth/v1/user':
        if (typeof json['password'] === 'string') account.credential = json['password']
        return user(account)
      case 'GET /auth/v1/user':
        return user(account)
      case 'POST /auth/v1/verify':
      case 'POST /auth/v1/token':
        return createAuthSession(account)
      default:
        return { success: true }
    }
  }
}

const errorResponse = (status: number, code: string): Response =>
  Response.json({ success: false, error: code, code }, { status })

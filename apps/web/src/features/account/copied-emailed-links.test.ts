import { linkChanges, textChanges } from '@sallyport/contract/testing/copied-texts'
import { toBase64url } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { readConfirmationLink } from './email-verification/confirmation-link.ts'
import { readInvitationToken } from './joining/invitation-token.ts'
import { readRecoveryLink } from './password-reset/recovery-link.ts'
import { normalizeTypedEmail } from './sign-in/identifier.ts'

const origin = 'https://files.example.org'
const all = [...textChanges, ...linkChanges]
const rounds = 20

const createToken = () => toBase64url(crypto.getRandomValues(new Uint8Array(32)))

/** One link from an email: how the server writes it, and how its page reads it. */
interface Emailed {
  /** Where its page is; the link of an invitation has the token behind it. */
  readonly path: string
  /** What the link has behind its path. */
  readonly restOf: (token: string) => string
  /** The token, or null if the link was rejected as damaged. */
  readonly tokenIn: (url: URL) => string | null
}

const emailed: Readonly<Record<string, Emailed>> = {
  'a confirmation link': {
    path: '/auth/confirm',
    restOf: (token) => `#token_hash=${token}&type=email_change`,
    tokenIn(url) {
      const link = readConfirmationLink(url)
      return link.kind === 'token' && link.type === 'email_change' ? link.tokenHash : null
    },
  },
  'a password link': {
    path: '/set-password',
    restOf: (token) => `#token=${token}&type=recovery&email=mara%40example.org`,
    tokenIn: (url) => readRecoveryLink(url)?.token ?? null,
  },
  'an invitation of a team': {
    path: '/join-org/',
    restOf: (token) => token,
    tokenIn: ({ pathname }) => readInvitationToken(decodePath(pathname.slice('/join-org/'.length))) || null,
  },
}

/** As the router does: what cannot be decoded stays as it is. */
function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What the address bar of a browser makes of a pasted text: undefined if it does not open the page. */
function paste(text: string, path: string): URL | undefined {
  const address = text.trim().replace(/[\r\n\t]/g, '')
  const url = /^https?:\/\/\S+$/i.test(address) && URL.canParse(address) ? new URL(address) : undefined
  const isOpened = path.endsWith('/') ? url?.pathname.startsWith(path) : url?.pathname === path
  return url?.origin === origin && isOpened ? url : undefined
}

for (const [name, { path, restOf, tokenIn }] of Object.entries(emailed)) {
  const write = (token: string) => `${origin}${path}${restOf(token)}`

  test(`ACC-14 ACC-15 ORG-05 ${name} works after a change on its way or is rejected, and never has another token`, () => {
    const rejected = new Set<string>()
    const unopened = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      const token = createToken()
      for (const change of all) {
        const url = paste(change.change(write(token)), path)
        const found = url && tokenIn(url)
        if (url === undefined) unopened.add(change.name)
        else if (found === null) rejected.add(change.name)
        else expect(found, change.name).toBe(token)
      }
    }
    expect([...unopened, ...rejected].length).toBeLessThan(all.length / 2)
    expect([...rejected].length).toBeLessThan(6)
  })

  test(`ACC-14 ACC-15 ORG-05 ${name} never has another token after two changes on its way`, () => {
    const token = createToken()
    for (const first of all)
      for (const second of all) {
        const url = paste(second.change(first.change(write(token))), path)
        const found = url && tokenIn(url)
        if (found !== undefined && found !== null) expect(found, `${first.name}, ${second.name}`).toBe(token)
      }
  })
}

test('ACC-02 a copied address is read as it was written, or as something that no server accepts', () => {
  const address = 'mara.holt@example.org'
  const read = all.filter(({ change }) => normalizeTypedEmail(change(address)) === address)
  const others = all.filter(({ change }) => {
    const found = normalizeTypedEmail(change(address))
    return found !== address && /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(found)
  })

  expect(others.map(({ name }) => name)).toEqual([])
  expect(read.length).toBeGreaterThan(20)
})

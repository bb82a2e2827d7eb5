import { keyChanges, linkChanges, type TextChange, textChanges } from '@sallyport/contract/testing/copied-texts'
import {
  createLinkSecret,
  createRecoveryKey,
  createShareKey,
  encodeRecoveryKey,
  encodeShareFragment,
  findRecoveryKey,
} from '@sallyport/crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCopiedUrl } from './copied-url.ts'
import { ClientError } from './errors.ts'
import { buildInviteLink, parseInviteLink } from './sessions/invite-link.ts'
import { parseShareLink } from './sharing/shared-file.ts'

const origin = 'https://files.example.org'
const token = 'Zm9vYmFyLWJhel9xdXgtMQ'
const rounds = 40

/** One copied secret: how it is written down, and how it is read. */
interface Copied {
  readonly changes: readonly TextChange[]
  readonly create: () => Uint8Array
  readonly write: (secret: Uint8Array) => Promise<string>
  /** Null if the text was rejected as damaged. */
  readonly read: (text: string) => Promise<Uint8Array | null>
}

const copied: Readonly<Record<string, Copied>> = {
  'a share link': {
    changes: [...textChanges, ...linkChanges],
    create: createShareKey,
    write: async (secret) => `${origin}/s/${token}#${await encodeShareFragment(secret)}`,
    async read(text) {
      try {
        const link = await parseShareLink(text)
        expect([link.origin, link.token]).toEqual([origin, token])
        return link.shareKey
      } catch (error) {
        expect(error).toBeInstanceOf(ClientError)
        return null
      }
    },
  },
  'an invite link': {
    changes: [...textChanges, ...linkChanges],
    create: createLinkSecret,
    write: async (secret) => buildInviteLink(origin, { pin: '482913', linkSecret: new Uint8Array(secret) }),
    async read(text) {
      const url = parseCopiedUrl(text)
      const invitation = url && parseInviteLink(url)
      if (!invitation || 'isIncomplete' in invitation) return null
      expect(invitation.pin).toBe('482913')
      return invitation.linkSecret
    },
  },
  'a recovery key': {
    changes: [...textChanges, ...keyChanges],
    create: createRecoveryKey,
    write: encodeRecoveryKey,
    read: (text) => findRecoveryKey(text).catch(() => null),
  },
}

for (const [name, { changes: all, create, write, read }] of Object.entries(copied)) {
  test(`${name} opens after each of ${all.length} changes on its way`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const secret = create()
      const text = await write(secret)
      for (const textChange of all)
        expect(await read(textChange.change(text)), `${textChange.name}: ${text}`).toEqual(secret)
    }
  })

  test(`${name} opens after two changes on its way or is rejected, and never opens as another`, async () => {
    let opened = 0
    const pairs = fc.tuple(fc.constantFrom(...all), fc.constantFrom(...all))
    await fc.assert(
      fc.asyncProperty(pairs, async ([first, second]) => {
        const secret = create()
        const result = await read(second.change(first.change(await write(secret))))
        if (result === null) return
        opened += 1
        expect(result).toEqual(secret)
      }),
      { numRuns: 500 },
    )
    expect(opened).toBeGreaterThan(425)
  })

  test(`${name} with a missing or a wrong character is rejected`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const text = await write(create())
      const wrong = text.at(-5) === '7' ? '8' : '7'

      expect(await read(text.slice(0, -1))).toBeNull()
      if (name !== 'an invite link') expect(await read(`${text.slice(0, -5)}${wrong}${text.slice(-4)}`)).toBeNull()
    }
  })
}

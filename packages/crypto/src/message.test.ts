import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openMessage, sealMessage } from './message.ts'
import { parseMessageKey } from './message-parts.ts'
import { createKey } from './secret.ts'
import { expectCryptoError } from './testing/check.ts'

const createContext = () =>
  ({ root: createKey(), kind: 'personal', contextId: 'b7c1b7a4-4f0e-4b52-8a53-6a3d1f6f2f10' }) as const
const sentAt = 1_767_225_600_000

test('a text opens as it was sealed, with its time', async () => {
  const context = createContext()
  const texts = fc.string({ unit: 'grapheme', maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 0, max: 2 ** 50 }), async (text, time) => {
      const sealed = await sealMessage({ ...context, text, sentAt: time })

      expect(await openMessage({ ...context, ...sealed })).toEqual({ text, sentAt: time })
    }),
    { numRuns: 200 },
  )
})

test('the public parts of a message reveal its kind but not its text', async () => {
  const context = createContext()

  const { encryptedKey, encryptedContent } = await sealMessage({ ...context, text: 'hello', sentAt })

  expect(parseMessageKey(encryptedKey)).toMatchObject({ kind: 'personal' })
  expect(encryptedKey).toHaveLength(155)
  expect(encryptedContent).toHaveLength(Math.ceil(((64 + 28) * 4) / 3))
})

test('T018 a session message does not open as a personal one, nor the reverse', async () => {
  const context = createContext()
  for (const [kind, other] of [
    ['personal', 'session'],
    ['session', 'personal'],
  ] as const) {
    const sealed = await sealMessage({ ...context, kind, text: 'hello', sentAt })

    await expectCryptoError(() => openMessage({ ...context, kind: other, ...sealed }), 'malformed')
  }
})

test('T018 a message does not open in another context or with another root key', async () => {
  const context = createContext()
  const sealed = await sealMessage({ ...context, text: 'hello', sentAt })

  await expectCryptoError(() => openMessage({ ...context, ...sealed, contextId: 'another' }), 'malformed')
  await expectCryptoError(() => openMessage({ ...context, ...sealed, root: createKey() }), 'wrong-key')
})

test('the key of one message does not open the content of another', async () => {
  const context = createContext()
  const [one, other] = await Promise.all(['one', 'other'].map((text) => sealMessage({ ...context, text, sentAt })))
  const mixed = { encryptedKey: one?.encryptedKey ?? '', encryptedContent: other?.encryptedContent ?? '' }

  await expectCryptoError(() => openMessage({ ...context, ...mixed }), 'damaged')
})

test.each([-1, 0.5, Number.NaN, 2 ** 53])('a message sent at %d is not sealed', async (time) => {
  await expectCryptoError(() => sealMessage({ ...createContext(), text: 'hello', sentAt: time }), 'malformed')
})

test('a message without a context is not sealed', async () => {
  await expectCryptoError(() => sealMessage({ ...createContext(), contextId: '', text: 'hello', sentAt }), 'malformed')
})

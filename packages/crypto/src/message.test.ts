import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openMessage, sealMessage } from './message.ts'
import { parseMessageKey } from './message-parts.ts'
import { createKey } from './secret.ts'
import { expectRefusal } from './testing/check.ts'

const aPlace = () =>
  ({ root: createKey(), kind: 'personal', contextId: 'b7c1b7a4-4f0e-4b52-8a53-6a3d1f6f2f10' }) as const
const sentAt = 1_767_225_600_000

test('any text opens as it was sealed, with its time', async () => {
  const place = aPlace()
  const texts = fc.string({ unit: 'grapheme', maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 0, max: 2 ** 50 }), async (text, time) => {
      const sealed = await sealMessage({ ...place, text, sentAt: time })

      expect(await openMessage({ ...place, ...sealed })).toEqual({ text, sentAt: time })
    }),
    { numRuns: 200 },
  )
})

test('the public parts of a message say its kind and nothing of its text', async () => {
  const place = aPlace()

  const { encryptedKey, encryptedContent } = await sealMessage({ ...place, text: 'hello', sentAt })

  expect(parseMessageKey(encryptedKey)).toMatchObject({ kind: 'personal' })
  expect(encryptedKey).toHaveLength(155)
  expect(encryptedContent).toHaveLength(Math.ceil(((64 + 28) * 4) / 3))
})

test('T018 a session message is refused as a personal one and the other way round', async () => {
  const place = aPlace()
  for (const [kind, other] of [
    ['personal', 'session'],
    ['session', 'personal'],
  ] as const) {
    const sealed = await sealMessage({ ...place, kind, text: 'hello', sentAt })

    await expectRefusal(() => openMessage({ ...place, kind: other, ...sealed }), 'malformed')
  }
})

test('T018 a message is refused in another conversation and under another root', async () => {
  const place = aPlace()
  const sealed = await sealMessage({ ...place, text: 'hello', sentAt })

  await expectRefusal(() => openMessage({ ...place, ...sealed, contextId: 'another' }), 'malformed')
  await expectRefusal(() => openMessage({ ...place, ...sealed, root: createKey() }), 'wrong-key')
})

test('the keys of two messages cannot be exchanged', async () => {
  const place = aPlace()
  const [one, other] = await Promise.all(['one', 'other'].map((text) => sealMessage({ ...place, text, sentAt })))
  const mixed = { encryptedKey: one?.encryptedKey ?? '', encryptedContent: other?.encryptedContent ?? '' }

  await expectRefusal(() => openMessage({ ...place, ...mixed }), 'damaged')
})

test.each([-1, 0.5, Number.NaN, 2 ** 53])('a message sent at %d is not sealed', async (time) => {
  await expectRefusal(() => sealMessage({ ...aPlace(), text: 'hello', sentAt: time }), 'malformed')
})

test('a message without a conversation is not sealed', async () => {
  await expectRefusal(() => sealMessage({ ...aPlace(), contextId: '', text: 'hello', sentAt }), 'malformed')
})

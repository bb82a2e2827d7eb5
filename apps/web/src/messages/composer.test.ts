import { ApiError, NetworkError } from '@sallyport/client/errors'
import type { Message } from '@sallyport/contract/messages'
import { expect, test } from 'vitest'
import { until } from '#/testing/until.ts'
import { createComposer } from './composer.ts'

/** A composer whose messages are sealed by name only, and the server's answers in our hands. */
function openComposer() {
  const delivered: string[] = []
  const failures: unknown[] = []
  const state = { answer: (): Promise<void> => Promise.resolve(), sealed: 0 }
  const composer = createComposer({
    seal: async ({ text }) => {
      state.sealed += 1
      return { encryptedKey: `key ${state.sealed}`, encryptedContent: text }
    },
    async deliver({ encryptedKey, encryptedContent }) {
      delivered.push(encryptedKey)
      await state.answer()
      return { id: encryptedKey, encryptedKey, encryptedContent, createdAt: 1, expiresAt: 2 } satisfies Message
    },
    onDelivered: () => undefined,
    onFailure: (error) => failures.push(error),
    now: () => 1,
  })
  return { composer, delivered, failures, state }
}

test('CHT-05 blank drafts are not sent, and no message while another is on its way', async () => {
  const { composer, delivered, state } = openComposer()
  const answer = Promise.withResolvers<void>()
  state.answer = () => answer.promise

  await composer.send()
  composer.write(' \n ')
  await composer.send()
  expect(delivered).toEqual([])

  composer.write('first')
  const sending = composer.send()
  composer.write('second')
  await composer.send()
  expect(composer.current().draft).toBe('second')
  answer.resolve()
  await sending

  expect(delivered).toEqual(['key 1'])
  expect(composer.current()).toEqual({ draft: 'second', outgoing: null })
})

test('CHT-04 a text that could not be sent is given back before what was written meanwhile', async () => {
  const { composer, failures, state } = openComposer()
  const answer = Promise.withResolvers<void>()
  state.answer = () => answer.promise
  composer.write('lost?')
  const sending = composer.send()
  await until(() => composer.current().outgoing?.encryptedKey !== null)
  composer.write('next')

  answer.reject(new NetworkError())
  await sending

  expect(composer.current()).toEqual({ draft: 'lost?\nnext', outgoing: null })
  expect(failures).toHaveLength(1)
})

test('CHT-04 the same text is sent again under the same key, unless that key was refused', async () => {
  const { composer, delivered, state } = openComposer()
  const sendFailing = async (error: Error) => {
    state.answer = () => Promise.reject(error)
    await composer.send()
  }
  composer.write('once')

  await sendFailing(new NetworkError())
  await sendFailing(new ApiError({ status: 409, code: 'CONFLICT', message: 'taken' }))
  await sendFailing(new NetworkError())
  composer.write('another')
  await sendFailing(new NetworkError())

  expect(delivered).toEqual(['key 1', 'key 1', 'key 2', 'key 3'])
})

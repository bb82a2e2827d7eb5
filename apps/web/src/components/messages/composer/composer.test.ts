import { ApiError, NetworkError } from '@sallyport/client/errors'
import type { Message } from '@sallyport/contract/messages'
import { expect, test } from 'vitest'
import { until } from '#/testing/until.ts'
import { createComposer } from './composer.ts'

/** Creates a composer with fake encryption and controllable server responses. */
function createTestComposer() {
  const delivered: string[] = []
  const failures: unknown[] = []
  const state = { respond: (): Promise<void> => Promise.resolve(), sealed: 0 }
  const composer = createComposer({
    seal: async ({ text }) => {
      state.sealed += 1
      return { encryptedKey: `key ${state.sealed}`, encryptedContent: text }
    },
    async deliver({ encryptedKey, encryptedContent }) {
      delivered.push(encryptedKey)
      await state.respond()
      return { id: encryptedKey, encryptedKey, encryptedContent, createdAt: 1, expiresAt: 2 } satisfies Message
    },
    onDelivered: () => undefined,
    onFailure: (error) => failures.push(error),
    now: () => 1,
  })
  return { composer, delivered, failures, state }
}

test('CHT-05 composer: does not send blank drafts, or a message while another is being sent', async () => {
  const { composer, delivered, state } = createTestComposer()
  const response = Promise.withResolvers<void>()
  state.respond = () => response.promise

  await composer.send()
  composer.setDraft(' \n ')
  await composer.send()
  expect(delivered).toEqual([])

  composer.setDraft('first')
  const sending = composer.send()
  composer.setDraft('second')
  await composer.send()
  expect(composer.current().draft).toBe('second')
  response.resolve()
  await sending

  expect(delivered).toEqual(['key 1'])
  expect(composer.current()).toEqual({ draft: 'second', outgoing: null })
})

test('CHT-04 composer: a failed message is restored in front of the current draft', async () => {
  const { composer, failures, state } = createTestComposer()
  const response = Promise.withResolvers<void>()
  state.respond = () => response.promise
  composer.setDraft('lost?')
  const sending = composer.send()
  await until(() => composer.current().outgoing?.encryptedKey !== null)
  composer.setDraft('next')

  response.reject(new NetworkError())
  await sending

  expect(composer.current()).toEqual({ draft: 'lost?\nnext', outgoing: null })
  expect(failures).toHaveLength(1)
})

test('CHT-04 composer: a retry reuses the message key unless the server rejected it with a conflict', async () => {
  const { composer, delivered, state } = createTestComposer()
  const sendFailing = async (error: Error) => {
    state.respond = () => Promise.reject(error)
    await composer.send()
  }
  composer.setDraft('once')

  await sendFailing(new NetworkError())
  await sendFailing(new ApiError({ status: 409, code: 'CONFLICT', serverMessage: 'taken' }))
  await sendFailing(new NetworkError())
  composer.setDraft('another')
  await sendFailing(new NetworkError())

  expect(delivered).toEqual(['key 1', 'key 1', 'key 2', 'key 3'])
})

import { ApiError, NetworkError } from '@sallyport/client/errors'
import { expect, test } from 'vitest'
import { createErrorMessage, joinErrorMessage, sessionErrorMessage } from './session-error-messages.ts'

const unreadable = new ApiError({ status: 502, code: null, serverMessage: '' })
const readable = new ApiError({ status: 500, code: 'INTERNAL', serverMessage: 'The disk is full' })

test('SES-14 an error without a message is reported with the sentence for what failed', () => {
  expect([
    createErrorMessage(unreadable),
    joinErrorMessage(unreadable, 'It failed'),
    sessionErrorMessage(unreadable, 'It failed'),
  ]).toEqual(['Failed to create session', 'Failed to join session. Please try again.', 'It failed'])
})

test('SES-14 the message of the server is shown, and so is that it cannot be reached', () => {
  expect([
    createErrorMessage(readable),
    joinErrorMessage(readable, 'It failed'),
    sessionErrorMessage(readable, 'It failed'),
  ]).toEqual(['The disk is full', 'The disk is full', 'The disk is full'])
  expect(sessionErrorMessage(new NetworkError(), 'It failed')).toContain('Can’t reach the server')
})

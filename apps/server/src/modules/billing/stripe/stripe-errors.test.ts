import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { ApiError } from '../../../errors.ts'
import { stripeFailure as failure, startScriptedStripe } from '../../../testing/engines/scripted-stripe.ts'
import { openStripe } from './open-stripe.ts'

const secretKey = 'sk_test_51Secret'
type Answer = object | ((response: ServerResponse) => void)

/** Opens Stripe against a server that gives the same answer to every request. */
async function openAgainst(answer: Answer) {
  const { url, requests } = await startScriptedStripe({ '*': [answer] })
  const options = { secretKey, webhookSecrets: [], instanceId: 'instance', now: Date.now, version: '1', timeoutMs: 100 }
  return { stripe: await openStripe({ ...options, url }), requests }
}

const errorOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

test.each<[string, Answer]>([
  ['does not answer', () => undefined],
  ['closes the connection', (response: ServerResponse) => void response.destroy()],
  ['answers 500', failure(500, { type: 'api_error', message: 'Oops' })],
  ['answers 503 without JSON', (response: ServerResponse) => void response.writeHead(503).end('<html>')],
  ['answers 200 without JSON', (response: ServerResponse) => void response.end('<html>')],
  ['answers 429', failure(429, { type: 'invalid_request_error', code: 'lock_timeout', message: 'Wait' })],
  ['answers 409', failure(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'Wait' })],
])('a Stripe that %s is away', async (_, answer) => {
  const { stripe } = await openAgainst(answer)

  const error = await errorOf(stripe.setCancelAtPeriodEnd('sub_1'))
  expect(error).toMatchObject({ code: 'PAYMENTS_AWAY', retryAfterSeconds: 5 })
})

test('a server that does not answer is asked twice, also for a list', async () => {
  const { stripe, requests } = await openAgainst(() => undefined)

  const error = await errorOf(Array.fromAsync(stripe.listSubscriptions()))
  expect([error.code, requests.length]).toEqual(['PAYMENTS_AWAY', 2])
})

test.each<[number, string]>([
  [400, 'parameter_invalid'],
  [401, 'api_key_expired'],
  [402, 'card_declined'],
  [403, 'more_permissions_required'],
  [404, 'resource_missing'],
])('an answer %i means that the request was refused, and its cause has no key and no address', async (status, code) => {
  const message = `Key ${secretKey} of <buyer@example.org> cannot do this`
  const { stripe } = await openAgainst(
    failure(status, { type: 'invalid_request_error', code, param: 'id', message, request_log_url: 'https://log' }),
  )

  const error = await errorOf(stripe.previewSeats('sub_1', 6))
  expect(error.code).toBe('PAYMENTS_REFUSED')
  expect(error.message).not.toContain('Key')
  expect({ ...(error.cause as Error) }).toEqual({
    name: 'StripeRequestError',
    type: expect.stringMatching(/^Stripe\w+Error$/),
    code,
    param: 'id',
    requestId: 'req_1',
  })
  expect((error.cause as Error).message).toBe('Key sk_… of <…@…> cannot do this')
})

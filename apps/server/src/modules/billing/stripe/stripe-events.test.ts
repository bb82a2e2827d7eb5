import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { WebhookRefusedError } from '../billing-provider.ts'
import { openStripe } from './open-stripe.ts'

const now = Date.UTC(2026, 10, 28)
const secret = 'whsec_first'
const { webhooks } = new Stripe('sk_test_unused')

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8')

const eventOf = (type: string, object: object, livemode = false) => ({
  object: 'event',
  id: 'evt_1',
  type,
  livemode,
  data: { object },
})

const sign = (payload: string, { ageSeconds = 0, by = secret } = {}): string =>
  webhooks.generateTestHeaderString({ payload, secret: by, timestamp: now / 1000 - ageSeconds })

const open = async (webhookSecrets: readonly string[] = [secret], secretKey = 'sk_test_key') => {
  const options = { secretKey, webhookSecrets, url: undefined, instanceId: 'instance', now: () => now, version: '1' }
  return (await openStripe(options)).parseEvent
}

function outcomeOf(parse: () => unknown): string {
  try {
    parse()
  } catch (error) {
    return error instanceof WebhookRefusedError ? error.reason : String((error as { code?: unknown }).code)
  }
  return 'accepted'
}

const event = JSON.stringify(eventOf('checkout.session.completed', { id: 'cs_1' }), null, 2)

interface Sent {
  readonly body?: string
  readonly header?: string | undefined
}

test.each<[string, Sent, string]>([
  ['without a header', { header: undefined }, 'no-header'],
  ['with an empty header', { header: '' }, 'no-header'],
  ['with a header without a time', { header: 'v1=00' }, 'no-match'],
  ['with two times', { header: `t=1,${sign(event)}` }, 'no-match'],
  ['signed with another secret', { header: sign(event, { by: 'whsec_other' }) }, 'no-match'],
  ['re-serialised after it was signed', { body: JSON.stringify(JSON.parse(event)) }, 'no-match'],
  ['without a body', { body: '' }, 'no-match'],
  ['that is 301 s old', { header: sign(event, { ageSeconds: 301 }) }, 'old'],
  ['that is 300 s old', { header: sign(event, { ageSeconds: 300 }) }, 'accepted'],
  ['from 301 s in the future', { header: sign(event, { ageSeconds: -301 }) }, 'future'],
  ['from 300 s in the future', { header: sign(event, { ageSeconds: -300 }) }, 'accepted'],
  [
    'that is 301 s old and signed with another secret',
    { header: sign(event, { ageSeconds: 301, by: 'x' }) },
    'no-match',
  ],
])('T213 an event %s', async (_, sent, outcome) => {
  const parseEvent = await open()
  const { body, header } = { body: event, header: sign(event), ...sent }
  expect(outcomeOf(() => parseEvent(bytes(body), header))).toBe(outcome)
})

test('T213 an event may be signed with any of the secrets, and without one none is accepted', async () => {
  const [rotating, unset] = [await open(['whsec_next', secret]), await open([])]

  expect(rotating(bytes(event), sign(event))).toEqual({
    id: 'evt_1',
    type: 'checkout.session.completed',
    subject: { kind: 'checkout', providerId: 'cs_1' },
  })
  expect(outcomeOf(() => unset(bytes(event), sign(event)))).toBe('no-match')
})

test.each([
  ['sk_test_key', false, 'accepted'],
  ['sk_test_key', true, 'mode'],
  ['rk_live_key', true, 'accepted'],
  ['rk_live_key', false, 'mode'],
])('T217 with the key %s an event with livemode %s is %s', async (key, livemode, outcome) => {
  const parseEvent = await open([secret], key)
  const body = JSON.stringify(eventOf('invoice.paid', {}, livemode))
  expect(outcomeOf(() => parseEvent(bytes(body), sign(body)))).toBe(outcome)
})

test.each([
  ['no JSON', '{'],
  ['a thin event', JSON.stringify({ object: 'v2.core.event', id: 'evt_1', type: 'v1.invoice.paid', livemode: false })],
  ['an array', '[]'],
  ['an event without data', JSON.stringify({ object: 'event', id: 'evt_1', type: 'invoice.paid', livemode: false })],
])('a signed body that is %s is a bad request', async (_, body) => {
  const parseEvent = await open()
  expect(outcomeOf(() => parseEvent(bytes(body), sign(body)))).toBe('BAD_REQUEST')
})

const metadata = { sallyport_checkout: 'order' }
const parentOf = (details: object | null) => ({ id: 'in_1', parent: { subscription_details: details } })
const subscription = { kind: 'subscription', providerId: 'sub_1', checkoutId: 'order' }

test.each([
  ['checkout.session.expired', { id: 'cs_1' }, { kind: 'checkout', providerId: 'cs_1' }],
  ['customer.subscription.updated', { id: 'sub_1', metadata }, subscription],
  ['customer.subscription.deleted', { id: 'sub_1', metadata: {} }, { ...subscription, checkoutId: null }],
  ['invoice.paid', parentOf({ subscription: 'sub_1', metadata }), subscription],
  ['invoice.payment_failed', parentOf({ subscription: { id: 'sub_1' }, metadata }), subscription],
  ['invoice.paid', parentOf({ subscription: 'sub_1', metadata: null }), { ...subscription, checkoutId: null }],
  ['invoice.paid', parentOf(null), null],
  ['invoice.paid', { id: 'in_1', parent: null }, null],
  ['customer.deleted', { id: 'cus_1', metadata }, null],
])('an event %s about %j', async (type, object, subject) => {
  const parseEvent = await open()
  const body = JSON.stringify(eventOf(type, object))
  expect(parseEvent(bytes(body), sign(body)).subject).toEqual(subject)
})

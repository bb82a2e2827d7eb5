import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Stripe } from 'stripe'
import { expect, onTestFinished, test } from 'vitest'
import { startMs, startTestAccount, subscribe, type TestAccount } from '../test-account.ts'

const secret = 'whsec_1'

/** Verifies an event as the SDK does, at the time of the Stripe test server. */
const verify = ({ stripe }: TestAccount, body: string, signature: string): Stripe.Event =>
  stripe.webhooks.constructEvent(body, signature, secret, 300, undefined, startMs)

/** Starts a webhook endpoint that answers with the given statuses, then with 200. */
async function startReceiver(statuses: number[] = []) {
  const received: { body: string; signature: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, signature: String(request.headers['stripe-signature']) })
      response.writeHead(statuses.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

test('events are signed, with the object as it was when they were created', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  await stripe.subscriptions.update(subscription.id, { metadata: { note: 'new' } }, { idempotencyKey: 'key-1' })

  const events = server.events.map(({ body, signature }) => verify(account, body, signature(['whsec_0', secret])))

  expect(events.find(({ type }) => type === 'customer.subscription.created')?.data.object).toMatchObject({
    status: 'incomplete',
    metadata: { order: '1' },
  })
  expect(events.find(({ type }) => type === 'invoice.paid')?.data.object).toMatchObject({
    parent: { subscription_details: { subscription: subscription.id, metadata: { order: '1' } } },
  })
  expect(events.at(-1)).toMatchObject({
    type: 'customer.subscription.updated',
    api_version: '2026-10-28.endive',
    livemode: false,
    request: { idempotency_key: 'key-1' },
    data: { object: { metadata: { order: '1', note: 'new' } }, previous_attributes: { metadata: { order: '1' } } },
  })
  const [first] = server.events
  expect(() => verify(account, first?.body ?? '', first?.signature('whsec_0') ?? '')).toThrow('signature')
  expect(await stripe.events.retrieve(events[0]?.id ?? '')).toMatchObject({ type: 'customer.created' })
})

test('events are sent as they happen, and again until they are accepted', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const receiver = await startReceiver([500])
  server.deliverTo(receiver.url, [secret])

  await stripe.customers.create({ email: 'ann@example.com' })
  await stripe.customers.create({ email: 'ben@example.com' })
  await server.whenDelivered()
  const missed = await stripe.events.list({ types: ['customer.created'], delivery_success: false })
  await server.redeliver()

  expect(server.deliveries.map(({ status }) => status)).toEqual([500, 200, 200])
  expect(missed.data).toMatchObject([{ data: { object: { email: 'ann@example.com' } } }])
  expect((await stripe.events.list({ delivery_success: false })).data).toEqual([])
  for (const { body, signature } of receiver.received) expect(verify(account, body, signature).livemode).toBe(false)
})

test('a test can send the events itself, in another order and at another time', async () => {
  const account = await startTestAccount()
  const { server } = account
  const receiver = await startReceiver()
  await subscribe(account)

  const events = server.takeEvents().reverse()
  for (const event of events) await server.send(event, { url: receiver.url, secrets: [secret], at: startMs + 60_000 })

  expect(server.takeEvents()).toEqual([])
  expect(receiver.received).toHaveLength(8)
  expect(receiver.received[0]?.body).toContain('checkout.session.completed')
  expect(receiver.received[0]?.signature).toContain(`t=${startMs / 1000 + 60},v1=`)
})

import type { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import {
  centsOf,
  dayMs,
  daySeconds,
  itemOf,
  quantityParams,
  startMs,
  startTestAccount,
  subscribe,
  typesOf,
} from '../test-account.ts'

test('an update charges what its preview has announced, by the second', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  await server.advance(7 * dayMs + 12_345_000)
  const prorationDate = server.now() / 1000 - 45
  const details = {
    items: [{ id: itemOf(subscription).id, quantity: 5 }],
    proration_behavior: 'always_invoice' as const,
    proration_date: prorationDate,
  }

  const preview = await stripe.invoices.createPreview({
    customer: String(subscription.customer),
    subscription: subscription.id,
    subscription_details: details,
  })
  const updated = await stripe.subscriptions.update(subscription.id, {
    ...details,
    payment_behavior: 'pending_if_incomplete',
  })

  const { current_period_end: end, current_period_start: start } = itemOf(subscription)
  const share = (end - prorationDate) / (end - start)
  expect(preview.amount_due).toBe(Math.round(4000 * share) - Math.round(2400 * share))
  expect(preview.lines.data.map(({ amount, quantity }) => [amount > 0, quantity])).toEqual([
    [false, 3],
    [true, 5],
  ])
  expect(updated).toMatchObject({ pending_update: null, items: { data: [{ quantity: 5 }] } })
  expect(centsOf(server)).toEqual([2400, preview.amount_due])
  expect(await stripe.invoices.list({ limit: 1 })).toMatchObject({ data: [{ billing_reason: 'subscription_update' }] })
  await expect(
    stripe.subscriptions.update(subscription.id, { ...details, proration_date: start - 1 }),
  ).rejects.toMatchObject({ statusCode: 400, param: 'proration_date' })
})

test('a pending update waits for the payment of its invoice', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  server.setChargeOutcome('action')

  const updated = await stripe.subscriptions.update(subscription.id, quantityParams(subscription, 5))
  const invoice = await stripe.invoices.retrieve(String(updated.latest_invoice), {
    expand: ['payments.data.payment.payment_intent'],
  })
  await server.payInvoice(invoice.id)

  expect(itemOf(updated).quantity).toBe(3)
  expect(updated.pending_update).toMatchObject({
    expires_at: startMs / 1000 + 23 * 3600,
    subscription_items: [{ quantity: 5 }],
  })
  expect(invoice).toMatchObject({ status: 'open', hosted_invoice_url: expect.stringContaining(server.url) })
  expect(invoice.payments?.data[0]?.payment.payment_intent).toMatchObject({ status: 'requires_action' })
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
    pending_update: null,
    status: 'active',
    items: { data: [{ quantity: 5 }] },
  })
  expect(centsOf(server)).toEqual([2400, 1600])
  expect(typesOf(server)).toContain('customer.subscription.pending_update_applied')
})

test('a pending update that is not paid expires after 23 hours', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  server.setChargeOutcome('decline')
  const { latest_invoice } = await stripe.subscriptions.update(subscription.id, quantityParams(subscription, 5))

  await server.advance(23 * 3600 * 1000 - 1000)
  const before = await stripe.subscriptions.retrieve(subscription.id)
  await server.advance(1000)

  expect(before.pending_update).not.toBeNull()
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
    pending_update: null,
    status: 'active',
    items: { data: [{ quantity: 3 }] },
  })
  expect(await stripe.invoices.retrieve(String(latest_invoice))).toMatchObject({ status: 'void' })
  expect(typesOf(server).at(-1)).toBe('customer.subscription.pending_update_expired')
  await expect(server.payInvoice(String(latest_invoice))).rejects.toThrow('void')
  expect(centsOf(server)).toEqual([2400])
})

test('voiding the invoice discards the pending update, and another update replaces it', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  const { id } = subscription
  server.setChargeOutcome('decline')

  const first = await stripe.subscriptions.update(id, quantityParams(subscription, 5))
  const second = await stripe.subscriptions.update(id, quantityParams(subscription, 6))
  const replaced = await stripe.invoices.retrieve(String(first.latest_invoice))
  await stripe.invoices.voidInvoice(String(second.latest_invoice))

  expect(replaced.status).toBe('void')
  expect(second.pending_update?.subscription_items).toMatchObject([{ quantity: 6 }])
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    pending_update: null,
    items: { data: [{ quantity: 3 }] },
  })
  await expect(stripe.invoices.voidInvoice(String(second.latest_invoice))).rejects.toMatchObject({ statusCode: 400 })
})

test('a declined update without pending updates is applied and past due, or rejected with 402', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  const { items } = quantityParams(subscription, 5)
  server.setChargeOutcome('decline')
  const update = (behavior: Stripe.SubscriptionUpdateParams.PaymentBehavior) =>
    stripe.subscriptions.update(subscription.id, {
      items,
      proration_behavior: 'always_invoice',
      payment_behavior: behavior,
    })

  await expect(update('error_if_incomplete')).rejects.toMatchObject({
    type: 'StripeCardError',
    statusCode: 402,
    code: 'card_declined',
    decline_code: 'generic_decline',
  })
  const unchanged = await stripe.subscriptions.retrieve(subscription.id)
  const applied = await update('allow_incomplete')

  expect(itemOf(unchanged).quantity).toBe(3)
  expect(applied).toMatchObject({ status: 'past_due', items: { data: [{ quantity: 5 }] } })
})

test('fewer without proration cost less from the next period, with proration the credit lowers it', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const plain = await subscribe(account, 4)
  const credited = await subscribe(account, 4)
  const deferred = await subscribe(account, 4)
  await server.advance(14 * dayMs)

  await stripe.subscriptions.update(plain.id, { ...quantityParams(plain, 2), proration_behavior: 'none' })
  await stripe.subscriptions.update(credited.id, quantityParams(credited, 2))
  await stripe.subscriptions.update(deferred.id, { items: [{ id: itemOf(deferred).id, quantity: 6 }] })
  const credit = await stripe.customers.retrieve(String(credited.customer))
  await server.advance(14 * dayMs)

  const centsFor = ({ id }: Stripe.Subscription) =>
    server.charges.filter(({ subscription }) => subscription === id).map(({ cents }) => cents)
  expect(centsFor(plain)).toEqual([3200, 1600])
  expect(credit).toMatchObject({ balance: -800 })
  expect(centsFor(credited)).toEqual([3200, 800])
  expect(centsFor(deferred)).toEqual([3200, 4800 + 800])
})

test('a trial costs nothing, with more as well', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  const { id } = subscription
  const end = itemOf(subscription).current_period_end + daySeconds
  await stripe.subscriptions.update(id, { trial_end: end, proration_behavior: 'none' })

  const { items } = quantityParams(subscription, 9)
  const preview = await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: { items, proration_behavior: 'always_invoice' },
  })
  const updated = await stripe.subscriptions.update(id, quantityParams(subscription, 9))

  expect(preview.amount_due).toBe(0)
  expect(itemOf(updated).quantity).toBe(9)
  expect(centsOf(server)).toEqual([2400])
})

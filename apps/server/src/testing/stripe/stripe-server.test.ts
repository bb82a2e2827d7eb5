import { expect, test } from 'vitest'
import {
  centsOf,
  checkoutParams,
  dayMs,
  daySeconds,
  itemOf,
  startMs,
  startTestAccount,
  subscribe,
  typesOf,
} from './test-account.ts'

test('a paid checkout has a customer, an active subscription and a paid invoice', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const open = await stripe.checkout.sessions.create(checkoutParams(account))

  const url = await server.pay(open.id)

  const session = await stripe.checkout.sessions.retrieve(open.id, {
    expand: ['subscription.latest_invoice', 'line_items'],
  })
  expect(open).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 2400, subscription: null })
  expect(url).toBe(`http://127.0.0.1:1/done?session_id=${open.id}`)
  expect(session).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    client_reference_id: 'order-1',
    metadata: { order: '1' },
    line_items: { data: [{ quantity: 3, description: 'Business' }] },
    subscription: {
      status: 'active',
      metadata: { order: '1' },
      items: { data: [{ quantity: 3, current_period_start: startMs / 1000 }] },
      latest_invoice: { status: 'paid', amount_paid: 2400, billing_reason: 'subscription_create' },
    },
  })
  expect(session.subscription).not.toHaveProperty('current_period_end')
  expect(server.charges).toMatchObject([{ cents: 2400, customer: session.customer }])
  expect(typesOf(server)).toEqual([
    'customer.created',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
    'checkout.session.completed',
  ])
})

test('each renewal moves the period by a month, up to the last day of a shorter one', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const { id } = await subscribe(account)

  await server.advance(60 * dayMs)

  expect(itemOf(await stripe.subscriptions.retrieve(id))).toMatchObject({
    current_period_start: Date.UTC(2026, 2, 31, 10) / 1000,
    current_period_end: Date.UTC(2026, 3, 30, 10) / 1000,
  })
  expect(centsOf(server)).toEqual([2400, 2400, 2400])
  const { data } = await stripe.invoices.list({ subscription: id })
  expect(data.map(({ created, billing_reason }) => [created, billing_reason])).toEqual([
    [Date.UTC(2026, 2, 31, 10) / 1000, 'subscription_cycle'],
    [Date.UTC(2026, 1, 28, 10) / 1000, 'subscription_cycle'],
    [startMs / 1000, 'subscription_create'],
  ])
})

test('a declined renewal is past due at once, retried 4 times in 22 days, and then canceled', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const { id } = await subscribe(account)
  server.setChargeOutcome('decline')

  await server.advance(28 * dayMs)
  const late = await stripe.subscriptions.retrieve(id)
  await server.advance(21 * dayMs)
  const beforeLast = await stripe.subscriptions.retrieve(id)
  await server.advance(dayMs)
  const ended = await stripe.subscriptions.retrieve(id)

  const renewedAt = Date.UTC(2026, 1, 28, 10) / 1000
  expect(late.status).toBe('past_due')
  expect(itemOf(late).current_period_start).toBe(renewedAt)
  expect(beforeLast.status).toBe('past_due')
  expect(ended).toMatchObject({ status: 'canceled', ended_at: renewedAt + 22 * daySeconds })
  expect(centsOf(server)).toEqual([2400])
  const failed = server.events.filter(({ type }) => type === 'invoice.payment_failed')
  expect(failed.map(({ event }) => (event.created - renewedAt) / daySeconds)).toEqual([0, 3, 8, 15, 22])
  expect(typesOf(server).at(-1)).toBe('customer.subscription.deleted')
})

test('paying the open invoice ends the state past due', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const { id } = await subscribe(account)
  server.setChargeOutcome('action', id)
  await server.advance(28 * dayMs)
  const { latest_invoice, status } = await stripe.subscriptions.retrieve(id)

  await server.payInvoice(String(latest_invoice))

  expect(status).toBe('past_due')
  expect(typesOf(server)).toContain('invoice.payment_action_required')
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' })
  expect(centsOf(server)).toEqual([2400, 2400])
})

test('a subscription that cancels at the end of its period ends then, unless that is undone', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const { id } = await subscribe(account)
  const other = await subscribe(account)
  const end = itemOf(other).current_period_end

  const canceling = await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  await stripe.subscriptions.update(other.id, { cancel_at_period_end: true })
  await stripe.subscriptions.update(other.id, { cancel_at_period_end: false })
  await server.advance(28 * dayMs)

  expect(canceling).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_at: end })
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled', ended_at: end })
  expect(await stripe.subscriptions.retrieve(other.id)).toMatchObject({ status: 'active', cancel_at: null })
  await expect(stripe.subscriptions.update(id, { cancel_at_period_end: false })).rejects.toMatchObject({
    statusCode: 400,
  })
})

test('a canceled subscription ends at once and cannot be canceled again', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const { id } = await subscribe(account)

  const canceled = await stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false })
  await server.advance(60 * dayMs)

  expect(canceled).toMatchObject({ status: 'canceled', ended_at: startMs / 1000 })
  expect(centsOf(server)).toEqual([2400])
  await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
  expect((await stripe.subscriptions.list()).data).toEqual([])
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toMatchObject([{ id }])
})

test('a trial extends the period without a charge', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  const end = itemOf(subscription).current_period_end + 10 * daySeconds

  const trialing = await stripe.subscriptions.update(subscription.id, { trial_end: end, proration_behavior: 'none' })
  await server.advance(37 * dayMs)
  const cents = centsOf(server)
  await server.advance(dayMs)

  expect(trialing).toMatchObject({ status: 'trialing', trial_end: end })
  expect(itemOf(trialing).current_period_end).toBe(end)
  expect(cents).toEqual([2400])
  expect(centsOf(server)).toEqual([2400, 2400])
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' })
  await expect(
    stripe.subscriptions.update(subscription.id, { trial_end: 1, proration_behavior: 'none' }),
  ).rejects.toMatchObject({ statusCode: 400, param: 'trial_end' })
})

test('an open checkout expires at its time or by a request, and only once', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const { sessions } = stripe.checkout
  const inTime = await sessions.create({ ...checkoutParams(account), expires_at: startMs / 1000 + 3600 })
  const expired = await sessions.expire((await sessions.create(checkoutParams(account))).id)

  await server.advance(3600 * 1000)

  expect(expired).toMatchObject({ status: 'expired', url: null })
  expect(await sessions.retrieve(inTime.id)).toMatchObject({ status: 'expired' })
  await expect(sessions.expire(inTime.id)).rejects.toMatchObject({ statusCode: 400 })
  await expect(server.pay(inTime.id)).rejects.toThrow('expired')
  expect(typesOf(server)).toEqual(['checkout.session.expired', 'checkout.session.expired'])
  await expect(sessions.create({ ...checkoutParams(account), expires_at: startMs / 1000 + 60 })).rejects.toMatchObject({
    param: 'expires_at',
  })
})

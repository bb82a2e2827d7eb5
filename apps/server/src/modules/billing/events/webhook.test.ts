import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { startAccountServer } from '../../../testing/servers/account-server.ts'

const secrets = { old: 'whsec_old', new: 'whsec_new' }
const path = '/api/stripe/webhook'
/** Nothing listens there: what events are about cannot be read. */
const nobody = 'http://127.0.0.1:9'

async function startReceiver(stage: Stage) {
  const server = await startAccountServer(stage, {
    billing: 'stripe',
    environment: {
      BILLING: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_receiver',
      STRIPE_WEBHOOK_SECRET: Object.values(secrets).join(','),
      STRIPE_URL: nobody,
    },
  })
  const { userId } = await server.createMember()
  await stage.db
    .insertInto('billing_subscriptions')
    .values({
      provider_id: 'sub_known',
      user_id: userId,
      plan: 'personal',
      quantity: 1,
      organization_id: null,
      status: 'active',
      price_cents: 1000,
      period_start: stage.now(),
      period_end: stage.now() + 1000,
      cancel_at_period_end: 0,
      ended_at: null,
      applied_at: stage.now(),
      customer_id: 'cus_known',
    })
    .execute()

  const sign = (body: string, secret = secrets.new, seconds = Math.floor(stage.now() / 1000)) =>
    `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
  const post = (payload: string, signature?: string, headers: Record<string, string> = {}) =>
    server.app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: {
        'content-type': 'application/json',
        ...(signature !== undefined && { 'stripe-signature': signature }),
        ...headers,
      },
    })
  const send = (event: object, secret?: string) => {
    const body = JSON.stringify(event)
    return post(body, sign(body, secret))
  }
  return {
    ...server,
    sign,
    post,
    send,
    rows: async () => ({
      events: await stage.db.selectFrom('billing_events').select(['id', 'type']).orderBy('id').execute(),
      marks: await stage.db.selectFrom('stale_payments').select(['provider_id', 'kind']).execute(),
    }),
  }
}

const eventOf = (changes: object = {}) => ({
  id: 'evt_1',
  object: 'event',
  type: 'customer.subscription.updated',
  livemode: false,
  data: { object: { id: 'sub_known', object: 'subscription', metadata: {} } },
  ...changes,
})

onBothDatabases(
  'T213 an event that is not signed now, with these bytes and a known secret, is refused',
  async (stage) => {
    const server = await startReceiver(stage)
    const body = JSON.stringify(eventOf())
    const now = Math.floor(stage.now() / 1000)

    const refused = [
      await server.post(body),
      await server.post(body, ''),
      await server.post(body, 'v1=00'),
      await server.post(body, server.sign(body, 'whsec_other')),
      await server.post(JSON.stringify(eventOf(), null, 1), server.sign(body)),
      await server.post(body, server.sign(body, secrets.new, now - 301)),
      await server.post(body, server.sign(body, secrets.new, now + 301)),
    ]

    expect(refused.map(({ statusCode, json }) => [statusCode, json().code])).toEqual(
      refused.map(() => [400, 'WEBHOOK_REFUSED']),
    )
    expect(refused[0]?.json().error).toBe('The signature of this event could not be verified')
    expect(await server.rows()).toEqual({ events: [], marks: [] })
    const reasons = server.logged.flatMap((line) => /"reason":"([a-z-]+)"/.exec(line)?.[1] ?? [])
    expect(reasons).toEqual(['no-header', 'no-header', 'no-match', 'no-match', 'no-match', 'old', 'future'])
    expect(server.logged.join('')).not.toContain('whsec_')
  },
)

onBothDatabases('T213 an event that is signed with either of two secrets is accepted', async (stage) => {
  const server = await startReceiver(stage)

  const answers = [
    await server.send(eventOf({ id: 'evt_1' }), secrets.old),
    await server.send(eventOf({ id: 'evt_2' }), secrets.new),
  ]

  expect(answers.map(({ statusCode, json }) => [statusCode, json().received])).toEqual([
    [200, true],
    [200, true],
  ])
  expect((await server.rows()).events.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
})

onBothDatabases('T214 an event that arrives ten times at once is received once', async (stage) => {
  const server = await startReceiver(stage)

  const answers = await Promise.all(Array.from({ length: 10 }, () => server.send(eventOf())))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
  expect(await server.rows()).toEqual({
    events: [{ id: 'evt_1', type: 'customer.subscription.updated' }],
    marks: [{ provider_id: 'sub_known', kind: 'subscription' }],
  })
})

onBothDatabases(
  'T216 events about nothing of this server are answered and logged once a type, and nothing is read',
  async (stage) => {
    const server = await startReceiver(stage)
    const about = (type: string, object: object, id: string) => eventOf({ id, type, data: { object } })

    const answers = [
      await server.send(about('customer.subscription.updated', { id: 'sub_foreign', metadata: {} }, 'evt_1')),
      await server.send(
        about('customer.subscription.created', { id: 'sub_2', metadata: { sallyport_checkout: 'unknown' } }, 'evt_2'),
      ),
      await server.send(about('checkout.session.completed', { id: 'cs_foreign' }, 'evt_3')),
      await server.send(about('invoice.paid', { id: 'in_1', parent: null }, 'evt_4')),
      await server.send(about('charge.refunded', { id: 'ch_1' }, 'evt_5')),
      await server.send(about('charge.refunded', { id: 'ch_2' }, 'evt_6')),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200])
    const { events, marks } = await server.rows()
    expect([events.length, marks]).toEqual([6, []])
    expect(server.logged.filter((line) => line.includes('about nothing of this server'))).toHaveLength(5)
  },
)

onBothDatabases('T217 an event of real payments is refused by a server with a test key', async (stage) => {
  const server = await startReceiver(stage)

  const { statusCode, json } = await server.send(eventOf({ livemode: true }))

  expect([statusCode, json().code]).toEqual([400, 'WEBHOOK_REFUSED'])
  expect(await server.rows()).toEqual({ events: [], marks: [] })
})

onBothDatabases('PLN-08 bodies that are no event of Stripe are rejected before anything is stored', async (stage) => {
  const server = await startReceiver(stage)
  const long = JSON.stringify(eventOf({ padding: 'x'.repeat(256 * 1024) }))
  const codeOf = async (answer: ReturnType<typeof server.post>) => {
    const { statusCode, json } = await answer
    return [statusCode, json().code]
  }

  expect(await codeOf(server.post(long, server.sign(long)))).toEqual([413, 'BODY_TOO_LARGE'])
  for (const text of ['nothing', '[]', '{"object":"v2.core.event","id":"evt_1"}', '{}'])
    expect(await codeOf(server.post(text, server.sign(text))), text).toEqual([400, 'BAD_REQUEST'])
  for (const type of ['text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded'])
    expect(await codeOf(server.post('{}', server.sign('{}'), { 'content-type': type })), type).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ])
  expect(await server.rows()).toEqual({ events: [], marks: [] })
})

onBothDatabases('PLN-08 a flood of refused events is limited, and a signed one gets through', async (stage) => {
  const server = await startReceiver(stage)

  const statuses = new Set<number>()
  for (let count = 0; count < 65; count += 1) statuses.add((await server.post('{}', 'v1=00')).statusCode)

  expect([...statuses]).toEqual([400, 429])
  expect((await server.send(eventOf())).statusCode).toBe(200)
})

onBothDatabases('PLN-08 what cannot be read stays marked, and is tried again later', async (stage) => {
  const server = await startReceiver(stage)
  await server.send(eventOf())
  const attempts = async () =>
    (await stage.db.selectFrom('stale_payments').select('attempts').executeTakeFirst())?.attempts
  await expect.poll(attempts).toBe(1)

  stage.advance(60_000)
  await server.applySubscriptions()

  expect(await attempts()).toBe(2)
  expect((await stage.db.selectFrom('billing_subscriptions').select('status').executeTakeFirst())?.status).toBe(
    'active',
  )
})

onBothDatabases('PLN-08 without Stripe there is no webhook', async (stage) => {
  const server = await startAccountServer(stage, { billing: 'test' })

  const { statusCode } = await server.post(path, eventOf())

  expect(statusCode).toBe(404)
})

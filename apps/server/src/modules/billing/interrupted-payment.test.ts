import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { randomCredential, randomEmail } from '../../testing/servers/account-server.ts'
import { startServerProcess } from '../../testing/servers/server-process.ts'
import { createTestFolder } from '../../testing/test-folder.ts'

test.each([
  ['as soon as it was answered', null],
  ['while it was applied', 4],
] as const)(
  'PLN-04 a payment outlives a server that is killed %s: one subscription, or none and nothing paid',
  async (_, killAfterMs) => {
    const folder = createTestFolder()
    const credentials = { email: randomEmail(), password: randomCredential() }
    const first = await startServerProcess({ DATA_DIR: folder })
    await send(first.url, '/api/register', credentials)
    const { headers } = await signIn(first.url, credentials)
    const order = { price_id: 'personal', customer_email: credentials.email, success_url: '/', cancel_url: '/' }
    const { checkout_url } = await send(first.url, '/api/stripe/create-checkout', order, headers)
    const id = String(checkout_url).split('/').at(-1)

    const paying = send(first.url, `/api/billing/test-checkouts/${id}/pay`, {}).catch(() => ({ success: false }))
    if (killAfterMs === null) await paying
    else await wait(killAfterMs)
    await first.kill()
    const wasAnswered = (await paying)['success'] === true

    const second = await startServerProcess({ DATA_DIR: folder })
    const again = await signIn(second.url, credentials)
    const read = async (path: string) =>
      (await (await fetch(second.url + path, { headers: again.headers })).json()) as Answer & { user: Answer }
    const { state } = await read(`/api/billing/test-checkouts/${id}`)
    const { status } = await read('/api/subscription/info')
    const { user } = await read('/api/user-info')
    if (wasAnswered) expect(state).toBe('paid')
    expect([state, status, user['license_type']]).toEqual(
      state === 'paid' ? ['paid', 'active', 'personal'] : ['open', 'none', 'trial'],
    )

    await send(second.url, `/api/billing/test-checkouts/${id}/pay`, {})
    const retried = await send(second.url, '/api/stripe/create-checkout', order, again.headers)
    expect(retried['code']).toBe('ALREADY_SUBSCRIBED')
  },
)

type Answer = Readonly<Record<string, unknown>>

async function send(url: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const allHeaders = { 'content-type': 'application/json', ...headers }
  const answer = await fetch(url + path, { method: 'POST', headers: allHeaders, body: JSON.stringify(body) })
  return (await answer.json()) as Answer
}

async function signIn(url: string, credentials: object) {
  const { session } = (await send(url, '/api/login', credentials)) as { session: { access_token: string } }
  return { headers: { authorization: `Bearer ${session.access_token}` } }
}

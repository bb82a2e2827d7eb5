import { expect, test } from 'vitest'
import { centsOf, checkoutParams, dayMs, itemOf, quantityParams, startTestAccount, subscribe } from '../test-account.ts'

const post = (url: string): Promise<Response> => fetch(url, { method: 'POST', redirect: 'manual' })
const read = async (url: string): Promise<string> => (await fetch(url)).text()

test('the page of a checkout shows what it costs, declines, returns and pays once', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const { id, url } = await stripe.checkout.sessions.create(checkoutParams(account))
  const page = `${server.url}/c/pay/${id}`

  const shown = await read(page)
  const declined = await (await post(`${page}/decline`)).text()
  const back = await post(`${page}/back`)
  const paid = await post(`${page}/pay`)
  const again = await (await post(`${page}/pay`)).text()

  expect(url).toBe(page)
  for (const text of ['Business, quantity 3', 'Total $24.00', '>Pay<', '>Decline the card<', '>Back<'])
    expect(shown).toContain(text)
  expect(shown).not.toContain('Your card was declined.')
  expect(declined).toContain('Your card was declined.')
  expect([back.status, back.headers.get('location')]).toEqual([303, 'http://127.0.0.1:1/back?plan=business'])
  expect([paid.status, paid.headers.get('location')]).toEqual([303, `http://127.0.0.1:1/done?session_id=${id}`])
  expect(again).toContain('This checkout is paid.')
  expect(centsOf(server)).toEqual([2400])
})

test('the page of an invoice confirms its payment', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  server.setChargeOutcome('action')
  const updated = await stripe.subscriptions.update(subscription.id, quantityParams(subscription, 4))
  const { hosted_invoice_url } = await stripe.invoices.retrieve(String(updated.latest_invoice))
  const page = String(hosted_invoice_url)

  const shown = await read(page)
  const paid = await (await post(`${page}/pay`)).text()

  expect(shown).toContain('>Confirm<')
  expect(paid).toContain('This invoice is paid.')
  expect(itemOf(await stripe.subscriptions.retrieve(subscription.id)).quantity).toBe(4)
})

test('the portal pays open invoices and links back', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const { id, customer } = await subscribe(account)
  server.setChargeOutcome('decline')
  await server.advance(28 * dayMs)
  await stripe.billingPortal.configurations.create({ features: { payment_method_update: { enabled: true } } })
  const { url } = await stripe.billingPortal.sessions.create({
    customer: String(customer),
    return_url: 'http://127.0.0.1:1/plans?a=1&b=2',
  })

  const shown = await read(url)
  const paid = await (await post(`${url}/pay`)).text()

  expect(shown).toContain('Payment details')
  expect(shown).toContain('Open invoices: 1')
  expect(shown).toContain('<a href="http://127.0.0.1:1/plans?a=1&amp;b=2">Return</a>')
  expect(paid).toContain('Open invoices: 0')
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
})

import { startScriptedStripe } from '../../../../testing/engines/scripted-stripe.ts'
import { openStripe } from '../open-stripe.ts'

/** The start and the end of a period, in seconds. */
export const [periodStart, periodEnd] = [1_795_000_000, 1_797_592_000]
export const path = '/v1/subscriptions/sub_1'

export const item = {
  id: 'si_1',
  quantity: 5,
  price: { id: 'price_1', unit_amount: 800 },
  current_period_start: periodStart,
  current_period_end: periodEnd,
}

/** A subscription as Stripe sends it, as far as it is read. */
export const subscriptionOf = (changes: object = {}) => ({
  id: 'sub_1',
  object: 'subscription',
  status: 'active',
  customer: 'cus_1',
  cancel_at_period_end: false,
  cancel_at: null,
  ended_at: null,
  pending_update: null,
  latest_invoice: 'in_1',
  metadata: { sallyport_instance: 'instance', sallyport_checkout: 'order-1' },
  items: { data: [item] },
  ...changes,
})

/** Opens Stripe against scripted answers, half a second after the period began. */
export async function openScripted(script: Parameters<typeof startScriptedStripe>[0]) {
  const { url, requests } = await startScriptedStripe(script)
  const options = { secretKey: 'sk_test_1', webhookSecrets: [], instanceId: 'instance', version: '1' }
  return { stripe: await openStripe({ ...options, url, now: () => periodStart * 1000 + 500 }), requests }
}

import type { Stripe } from 'stripe'

export interface StripeClientOptions {
  readonly secretKey: string
  /** Another server than Stripe's, for tests. */
  readonly url: string | undefined
  /** The version of this server. */
  readonly version: string
  readonly timeoutMs?: number | undefined
}

/** The version of the API that this code and the webhook endpoint use. */
export const stripeApiVersion = '2026-10-28.endive'

const defaultTimeoutMs = 5000

/** Loads the SDK, which takes 0.2 s and 38 MB and is therefore imported nowhere else, and creates its client. */
export async function createStripeClient(options: StripeClientOptions): Promise<Stripe> {
  const { secretKey, url, version, timeoutMs = defaultTimeoutMs } = options
  const { Stripe: StripeSdk } = await import('stripe')
  return new StripeSdk(secretKey, {
    apiVersion: stripeApiVersion,
    maxNetworkRetries: 1,
    timeout: timeoutMs,
    telemetry: false,
    appInfo: { name: 'Sallyport', version },
    ...(url !== undefined && addressOf(new URL(url))),
  })
}

const addressOf = ({ protocol, hostname, port }: URL) => ({
  protocol: protocol === 'https:' ? ('https' as const) : ('http' as const),
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port || (protocol === 'https:' ? 443 : 80),
})

/** Whether a key is for real payments. */
export const isLiveKey = (secretKey: string): boolean => /^[a-z]+_live_/.test(secretKey)

/** The hosts of the pages of Stripe that an answer of the server may lead to. */
const hosts = { checkout: 'checkout.stripe.com', portal: 'billing.stripe.com', invoice: 'invoice.stripe.com' } as const

export type PaymentPage = keyof typeof hosts

/** The test page of this server, on which plans are bought where no payment provider is set up. */
const testCheckoutPath = /^\/checkout\/test\/tcs_[\w-]{43}$/

/**
 * Returns where a page to pay on is: the path of the test page, or the URL of a page of Stripe. Throws for every other
 * URL, because a server that lies must not lead people to a page that only looks like Stripe's.
 */
export function paymentUrlOf(page: PaymentPage, url: string, openedAt: string = location.href): string {
  const { hostname, origin } = new URL(openedAt)
  const path = pathIn(url, origin)
  if (page === 'checkout' && path !== null && testCheckoutPath.test(path)) return path
  if (URL.canParse(url)) {
    const parsed = new URL(url)
    if (isOfStripe(parsed, hosts[page]) || (isLoopback(hostname) && isOfTestServer(parsed))) return parsed.href
  }
  throw new Error('The server sent the URL of no page to pay on')
}

/**
 * The path and query of a URL; null if it is none. Ignores the origin: the server knows itself by one address, and people
 * may open it by another.
 */
export function pathIn(url: string, origin: string = location.origin): string | null {
  if (!URL.canParse(url, origin)) return null
  const { pathname, search } = new URL(url, origin)
  return pathname + search
}

/** The host of a URL includes its port unless that is the default one. */
const isOfStripe = (url: URL, host: string): boolean =>
  url.protocol === 'https:' && url.host === host && hasNoUserInfo(url)

/** Whether a URL leads to this machine, where tests run a server in place of Stripe. */
const isOfTestServer = (url: URL): boolean => url.protocol === 'http:' && isLoopback(url.hostname) && hasNoUserInfo(url)

const hasNoUserInfo = ({ username, password }: URL): boolean => username === '' && password === ''

const isLoopback = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

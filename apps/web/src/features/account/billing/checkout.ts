import { billing } from '@sallyport/contract/billing'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { messageFor, UserFacingError } from '#/strings/errors/message-for.ts'
import type { Buyer } from './use-buyer.ts'

/** The page after a payment. */
const successPath = '/upgrade-success?plan=personal'

/** Starts to buy the personal plan and returns the path of the page to pay on. Rejects with the sentence to show. */
export async function startCheckout(buyer: Buyer | null): Promise<string> {
  if (buyer === null) throw new UserFacingError(upgradeStrings.noSession)
  try {
    const { checkout_url } = await buyer.call(billing.createCheckout, {
      body: {
        price_id: 'personal',
        customer_email: buyer.email,
        success_url: successPath,
        cancel_url: location.pathname === '/settings' ? '/settings' : '/',
      },
    })
    return checkoutPathOf(checkout_url)
  } catch (error) {
    const reason = messageFor(error, '')
    throw new UserFacingError(reason ? upgradeStrings.checkoutFailed(reason) : upgradeStrings.checkoutFailedUnknown, {
      cause: error,
    })
  }
}

/** The path of a checkout of this server. Throws for every other URL: only the server says where to pay. */
function checkoutPathOf(url: string): string {
  const path = pathIn(url)
  if (path === null || !/^\/checkout\/test\/tcs_[\w-]{43}$/.test(path)) throw new Error('The checkout has no page')
  return path
}

/** The path that a checkout leads back to: one of the pages of this site that it may lead to, or else the first page. */
export function returnPathOf(url: string): string {
  const path = pathIn(url)
  return path !== null && /^\/(settings|upgrade-success)?(\?plan=personal)?$/.test(path) ? path : '/'
}

/** Ignores the origin: the server knows itself by one address, and people may open it by another. */
function pathIn(url: string): string | null {
  if (!URL.canParse(url, location.origin)) return null
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}

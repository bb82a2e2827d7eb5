import { isUnanswered } from '@sallyport/client/connectivity'
import { billing } from '@sallyport/contract/billing'
import { pathIn, paymentUrlOf } from '#/lib/payments/payment-url.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { messageFor, UserFacingError } from '#/strings/errors/message-for.ts'
import type { Buyer } from './use-buyer.ts'

interface SeatsOrder {
  readonly organizationName: string
  readonly quantity: number
  /** Where the browser goes after the payment. */
  readonly successPath?: typeof upgradeSuccessPath | typeof businessSuccessPath
}

const upgradeSuccessPath = '/upgrade-success?plan=business'
/** The page that ends a business sign-up. The provider inserts the id of the checkout. */
export const businessSuccessPath = '/business-success?session_id={CHECKOUT_SESSION_ID}'

/** Where the browser goes if nothing is paid: to the page on which the plan was chosen. */
const cancelPath = (): string => (['/settings', '/business'].includes(location.pathname) ? location.pathname : '/')

/** Starts to buy the personal plan and returns what `useOpenPaymentUrl` opens. Rejects with the sentence to show. */
export const startCheckout = (buyer: Buyer | null): Promise<string> =>
  start(buyer, ({ call, email }) =>
    call(billing.createCheckout, {
      body: {
        price_id: 'personal',
        customer_email: email,
        success_url: '/upgrade-success?plan=personal',
        cancel_url: cancelPath(),
      },
    }),
  )

/** The same for the seats of an organization. */
export function startSeatsCheckout(buyer: Buyer | null, order: SeatsOrder): Promise<string> {
  const { organizationName, quantity, successPath = upgradeSuccessPath } = order
  return start(buyer, ({ call, email, userId }) =>
    call(billing.createBusinessCheckout, {
      body: {
        organization_name: organizationName,
        customer_email: email,
        user_id: userId,
        quantity,
        success_url: successPath,
        cancel_url: cancelPath(),
      },
    }),
  )
}

async function start(
  buyer: Buyer | null,
  createCheckout: (buyer: Buyer) => Promise<{ readonly checkout_url: string }>,
): Promise<string> {
  if (buyer === null) throw new UserFacingError(upgradeStrings.noSession)
  try {
    return paymentUrlOf('checkout', (await createCheckout(buyer)).checkout_url)
  } catch (error) {
    throw new UserFacingError(describeFailure(error), { cause: error })
  }
}

function describeFailure(error: unknown): string {
  if (isUnanswered(error)) return upgradeStrings.checkoutUnanswered
  const reason = messageFor(error, '')
  return reason ? upgradeStrings.checkoutFailed(reason) : upgradeStrings.checkoutFailedUnknown
}

const returnPaths = [
  /^\/(settings|business|upgrade-success)?(\?plan=(personal|business))?$/,
  /^\/business-success\?session_id=[\w-]{1,128}$/,
]

/** The path that the test page leads back to: one of the pages of this site that it may lead to, or else the first page. */
export function returnPathOf(url: string): string {
  const path = pathIn(url)
  return path !== null && returnPaths.some((pattern) => pattern.test(path)) ? path : '/'
}

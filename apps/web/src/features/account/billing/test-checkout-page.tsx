import { ApiError } from '@sallyport/client/errors'
import { billing } from '@sallyport/contract/billing'
import type { Reply } from '@sallyport/contract/endpoint'
import { useMutation, useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { TaskFailure, TaskLink, TaskPage } from '#/components/brand/task-page.tsx'
import { Name } from '#/components/names/name.tsx'
import { Loaded } from '#/components/parts/loaded.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { Checkbox } from '#/components/ui/inputs/checkbox.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { formatPrice } from '#/lib/format-price.ts'
import { checkoutStrings } from '#/strings/account/checkout.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { productName } from '#/strings/product.ts'
import { returnPathOf } from './checkout.ts'

type Checkout = Reply<typeof billing.testCheckout>

/** The page to pay on where no payment provider is set up: it says so, and takes neither cards nor money. */
export function TestCheckoutPage() {
  const { id = '' } = useParams()
  const call = useCall()
  const query = useQuery({
    queryKey: ['test-checkout', id],
    queryFn: () => call(billing.testCheckout, { params: { id } }),
  })
  useTitle(`${checkoutStrings.title} · ${productName}`)

  const isUnknown = query.error instanceof ApiError && query.error.status === 404

  if (isUnknown)
    return (
      <TaskPage>
        <NoCheckout title={checkoutStrings.unknown} details={checkoutStrings.unknownText} />
      </TaskPage>
    )
  return (
    <TaskPage>
      <TestNotice />
      <Loaded query={query} failed={checkoutStrings.failed} skeletonClassName="h-52">
        {(checkout) => (checkout.state === 'open' ? <OpenCheckout id={id} {...checkout} /> : <Ended {...checkout} />)}
      </Loaded>
    </TaskPage>
  )
}

function TestNotice() {
  return (
    <p className="mb-5 flex items-start gap-3 rounded-control border border-soft-border bg-brass-soft px-3.5 py-2.5 text-sm text-brass-ink">
      <FlaskConical aria-hidden size={20} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <span>
        <strong className="block font-semibold">{checkoutStrings.testTitle}</strong>
        {checkoutStrings.testText}
      </span>
    </p>
  )
}

function OpenCheckout({ id, ...checkout }: Checkout & { readonly id: string }) {
  const { plan, price_cents, quantity, organization_name, customer_email, cancel_url } = checkout
  const call = useCall()
  const navigate = useNavigate()
  const price = formatPrice(price_cents * quantity)
  const [declinesLater, setDeclinesLater] = useState(false)
  const paying = useMutation({
    async mutationFn() {
      const { success_url } = await call(billing.payTestCheckout, {
        params: { id },
        query: { later_charges: declinesLater ? 'declined' : 'paid' },
      })
      await navigate(returnPathOf(success_url), { replace: true })
    },
    networkMode: 'always',
  })
  const declining = useMutation({
    mutationFn: () => call(billing.declineTestCheckout, { params: { id } }),
    networkMode: 'always',
  })
  const error = paying.error ?? declining.error
  const isBusy = paying.isPending || declining.isPending

  return (
    <>
      <h1 className="heading text-2xl">{plan === 'business' ? checkoutStrings.businessPlan : checkoutStrings.plan}</h1>
      {organization_name === null ? null : (
        <p className="mt-1 text-sm text-ink-2">
          {checkoutStrings.forAccount} <Name className="font-semibold text-ink wrap-anywhere">{organization_name}</Name>
        </p>
      )}
      <p className="mt-1 text-sm text-ink-2">
        {checkoutStrings.forAccount} <bdi className="font-semibold text-ink wrap-anywhere">{customer_email}</bdi>
      </p>
      <p className="mt-4 flex flex-wrap items-baseline gap-x-1.5">
        <span className="heading-large text-4xl">{price}</span>
        <span className="text-sm text-ink-2">{upgradeStrings.perMonth}</span>
      </p>
      {plan === 'business' ? (
        <p className="num mt-1 text-sm text-ink-2">{checkoutStrings.seats(quantity, formatPrice(price_cents))}</p>
      ) : null}
      <p className="mt-1 mb-5 text-sm text-ink-2">{checkoutStrings.renews}</p>
      {plan === 'business' ? (
        <Checkbox
          className="mb-3"
          label={checkoutStrings.declineLater}
          hint={checkoutStrings.declineLaterHint}
          checked={declinesLater}
          onChange={({ target }) => setDeclinesLater(target.checked)}
        />
      ) : null}
      <FormAlert message={error && !isBusy ? messageFor(error, checkoutStrings.payFailed) : null} />
      <div className="mt-3 grid gap-2.5">
        <Button
          variant="primary"
          size="large"
          fullWidth
          busy={paying.isPending}
          busyLabel={checkoutStrings.paying}
          disabled={declining.isPending}
          onClick={() => {
            declining.reset()
            paying.mutate()
          }}
        >
          {checkoutStrings.pay(price)}
        </Button>
        <Button
          size="large"
          fullWidth
          busy={declining.isPending}
          disabled={paying.isPending}
          onClick={() => {
            paying.reset()
            declining.mutate()
          }}
        >
          {checkoutStrings.decline}
        </Button>
        <Button
          variant="quiet"
          size="large"
          fullWidth
          disabled={isBusy}
          onClick={() => void navigate(returnPathOf(cancel_url))}
        >
          {checkoutStrings.back}
        </Button>
      </div>
    </>
  )
}

function Ended({ state, success_url }: Checkout) {
  if (state === 'expired') return <NoCheckout title={checkoutStrings.expired} details={checkoutStrings.expiredText} />
  return (
    <>
      <h1 className="heading text-2xl">{checkoutStrings.paid}</h1>
      <TaskLink to={returnPathOf(success_url)}>{checkoutStrings.continue}</TaskLink>
    </>
  )
}

interface NoCheckoutProps {
  readonly title: string
  readonly details: string
}

function NoCheckout(text: NoCheckoutProps) {
  return (
    <TaskFailure {...text}>
      <TaskLink to="/">{upgradeStrings.pageBack}</TaskLink>
    </TaskFailure>
  )
}

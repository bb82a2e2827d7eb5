import { billing, type PaidPlan } from '@sallyport/contract/billing'
import { upgradedRedirectMs } from '@sallyport/contract/limits'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Seal } from '#/components/brand/seal.tsx'
import { TaskPage } from '#/components/brand/task-page.tsx'
import { useCountdown } from '#/components/ui/hooks/use-countdown.ts'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { checkoutStrings } from '#/strings/account/checkout.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { productName } from '#/strings/product.ts'
import { useAccounts } from '../accounts-context.ts'
import { GoNow, Leaving } from './leaving.tsx'
import { type Buyer, useBuyer } from './use-buyer.ts'

const pollMs = 2000
const pathAfter: Record<PaidPlan, string> = { personal: '/', business: '/business' }
/** How long a payment may take to arrive before the page says that there is none. */
const lateMs = 30_000

/** The page after a payment: asks for the plan until it is there, and then leads on. It gives no plan itself. */
export function UpgradeSuccessPage() {
  const { signInDeps } = useAccounts()
  const isRestoring = useObservable(signInDeps.auth.state).phase === 'restoring'
  const buyer = useBuyer()
  const [query] = useSearchParams()
  const plan = query.get('plan') === 'business' ? 'business' : 'personal'
  const { hasPlan, error } = usePlanStatus(buyer, plan)
  const isSignedOut = !hasPlan && !isRestoring && buyer === null
  const unfinished = isSignedOut ? 'idle' : 'waiting'
  useTitle(`${checkoutStrings.successTitle} · ${productName}`)

  return (
    <TaskPage>
      <div className="grid justify-items-center text-center">
        <Seal state={hasPlan ? 'sealed' : unfinished} className="mb-4" />
        <h1 className="heading text-2xl">{checkoutStrings.successTitle}</h1>
        <div aria-live="polite" className="mt-2 text-sm text-ink-2">
          {hasPlan ? checkoutStrings.active[plan] : null}
          {isSignedOut ? checkoutStrings.signIn : null}
          {hasPlan || isSignedOut ? null : <Confirming error={error} />}
        </div>
        {hasPlan || isSignedOut ? (
          <Leaving to={hasPlan ? pathAfter[plan] : '/'} afterMs={upgradedRedirectMs} />
        ) : (
          <GoNow to="/" />
        )}
      </div>
    </TaskPage>
  )
}

/** Whether the account has a subscription that counts, polled until it has, and why that could not be found out. */
function usePlanStatus(buyer: Buyer | null, plan: PaidPlan) {
  const queries = useQueryClient()
  const { authController } = useAccounts()
  const [wasActive, setWasActive] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['subscription-after-payment', plan, buyer?.email],
    queryFn: async () => (await buyer?.call(billing.subscription, { query: { plan } }))?.status ?? 'none',
    enabled: buyer !== null && !wasActive,
    refetchInterval: pollMs,
    staleTime: 0,
    gcTime: 0,
  })
  if (data === 'active' && !wasActive) setWasActive(true)

  useEffect(() => {
    if (!wasActive) return
    authController.closeUpgrade()
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' })
  }, [wasActive, authController, queries])

  return { hasPlan: wasActive, error }
}

function Confirming({ error }: { readonly error: unknown }) {
  const { secondsLeft } = useCountdown(lateMs, true)
  if (error) return messageFor(error, checkoutStrings.statusFailed)
  return secondsLeft > 0 ? checkoutStrings.confirming : checkoutStrings.late
}

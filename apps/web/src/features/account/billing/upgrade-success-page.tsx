import { billing } from '@sallyport/contract/billing'
import { upgradedRedirectMs } from '@sallyport/contract/limits'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { TimeRing } from '#/components/brand/hour-ring.tsx'
import { Seal } from '#/components/brand/seal.tsx'
import { TaskLink, TaskPage } from '#/components/brand/task-page.tsx'
import { useCountdown } from '#/components/ui/hooks/use-countdown.ts'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { checkoutStrings } from '#/strings/account/checkout.ts'
import { productName } from '#/strings/product.ts'
import { useAccounts } from '../accounts-context.ts'
import { type Buyer, useBuyer } from './use-buyer.ts'

const pollMs = 2000
/** How long a payment may take to arrive before the page says that there is none. */
const lateMs = 30_000

/** The page after a payment: asks for the plan until it is there, and then leads on. It gives no plan itself. */
export function UpgradeSuccessPage() {
  const [query] = useSearchParams()
  const isBusiness = query.get('plan') === 'business'
  const { signInDeps } = useAccounts()
  const isRestoring = useObservable(signInDeps.auth.state).phase === 'restoring'
  const buyer = useBuyer()
  const hasPlan = useIsPlanActive(buyer)
  const activeText = isBusiness ? checkoutStrings.activeBusiness : checkoutStrings.activePersonal
  const isSignedOut = !hasPlan && !isRestoring && buyer === null
  useTitle(`${checkoutStrings.successTitle} · ${productName}`)

  return (
    <TaskPage>
      <div className="grid justify-items-center text-center">
        <Seal state={hasPlan || isSignedOut ? 'sealed' : 'waiting'} className="mb-4" />
        <h1 className="heading text-2xl">{checkoutStrings.successTitle}</h1>
        <div aria-live="polite" className="mt-2 text-sm text-ink-2">
          {hasPlan ? activeText : null}
          {isSignedOut ? checkoutStrings.signIn : null}
          {hasPlan || isSignedOut ? null : <Confirming />}
        </div>
        {hasPlan || isSignedOut ? <Leaving path={isBusiness ? '/business' : '/'} /> : <GoNow path="/" />}
      </div>
    </TaskPage>
  )
}

/** Whether the account has a subscription that counts; polled until it has, and true from then on. */
function useIsPlanActive(buyer: Buyer | null): boolean {
  const queries = useQueryClient()
  const { authController } = useAccounts()
  const [wasActive, setWasActive] = useState(false)
  const { data } = useQuery({
    queryKey: ['subscription-after-payment', buyer?.email],
    queryFn: async () => (await buyer?.call(billing.subscription, {}))?.status ?? 'none',
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

  return wasActive
}

function Confirming() {
  const { secondsLeft } = useCountdown(lateMs, true)
  return secondsLeft > 0 ? checkoutStrings.confirming : checkoutStrings.late
}

/** Leads on after 5 seconds, or at once. */
function Leaving({ path }: { readonly path: string }) {
  const navigate = useNavigate()
  const { secondsLeft } = useCountdown(upgradedRedirectMs, true)

  useEffect(() => {
    const timer = setTimeout(() => void navigate(path, { replace: true }), upgradedRedirectMs)
    return () => clearTimeout(timer)
  }, [navigate, path])

  return (
    <GoNow path={path}>
      <span className="mt-5 flex items-center gap-2 text-sm text-brass-ink">
        <TimeRing band="hour" share={(secondsLeft * 1000) / upgradedRedirectMs} />
        {checkoutStrings.leavesIn(secondsLeft)}
      </span>
    </GoNow>
  )
}

interface GoNowProps {
  readonly path: string
  readonly children?: ReactNode
}

function GoNow({ path, children }: GoNowProps) {
  return (
    <>
      {children}
      <TaskLink to={path} replace>
        {checkoutStrings.goNow}
      </TaskLink>
    </>
  )
}

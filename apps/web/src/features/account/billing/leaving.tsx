import { type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router'
import { TimeRing } from '#/components/brand/hour-ring.tsx'
import { TaskLink } from '#/components/brand/task-page.tsx'
import { useCountdown } from '#/components/ui/hooks/use-countdown.ts'
import { checkoutStrings } from '#/strings/account/checkout.ts'

interface GoNowProps {
  readonly to: string
  readonly children?: ReactNode
}

interface LeavingProps extends Pick<GoNowProps, 'to'> {
  readonly afterMs: number
}

/** Leads on after this time, which it shows, or at once. */
export function Leaving({ to, afterMs }: LeavingProps) {
  const navigate = useNavigate()
  const { secondsLeft } = useCountdown(afterMs, true)

  useEffect(() => {
    const timer = setTimeout(() => void navigate(to, { replace: true }), afterMs)
    return () => clearTimeout(timer)
  }, [navigate, to, afterMs])

  return (
    <GoNow to={to}>
      <span className="mt-5 flex items-center gap-2 text-sm text-brass-ink">
        <TimeRing band="hour" share={(secondsLeft * 1000) / afterMs} />
        {checkoutStrings.leavesIn(secondsLeft)}
      </span>
    </GoNow>
  )
}

/** A link to the page that follows. */
export function GoNow({ to, children }: GoNowProps) {
  return (
    <>
      {children}
      <TaskLink to={to} replace>
        {checkoutStrings.goNow}
      </TaskLink>
    </>
  )
}

import { signInLimits } from '@sallyport/contract/limits'
import { lazy, Suspense, useState } from 'react'
import { answerOf } from '#/api/auth-words.ts'
import { speak } from '#/api/failure.ts'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { useNow } from '#/ui/use-now.ts'
import { stayWords } from '#/words/sign-in.ts'
import { useAccounts } from './accounts-context.ts'

const StayDialog = lazy(async () => ({ default: (await import('./stay-dialog.tsx')).StayDialog }))

interface EndingBannerProps {
  readonly name: string
}

const lookEveryMs = 5000
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** Warns before a sign-in ends, and offers to stay. The region is there from the start, so that it is spoken. */
export function EndingBanner({ name }: EndingBannerProps) {
  const { policy, auth } = useAccounts().enter
  const now = useNow(lookEveryMs)
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const endsAt = policy.endsAt()
  const isEnding = endsAt !== null && endsAt > now && endsAt - now <= signInLimits.warnBeforeMs

  /** On a remembered device the press itself is the activity that counts; the server hears of it by the new token. */
  async function stay() {
    if (!policy.canSlide()) return setAsking(true)
    setFailure(null)
    try {
      answerOf(await (await auth.provider()).refreshSession())
    } catch (error) {
      setFailure(speak(error, stayWords.failed))
    }
  }

  return (
    <div role="status" className="mx-auto w-full max-w-page px-4 empty:hidden md:px-6">
      {isEnding ? (
        <Banner
          tone="brass"
          className="mt-4"
          actions={
            <Button size="compact" onClick={() => void stay()}>
              {stayWords.stay}
            </Button>
          }
        >
          {failure ?? stayWords.ending(clock.format(endsAt))}
        </Banner>
      ) : null}
      {isAsking ? (
        <Suspense>
          <StayDialog name={name} onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

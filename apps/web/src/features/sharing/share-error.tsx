import { Suspense } from 'react'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { Button } from '#/components/ui/button.tsx'
import { shareStrings } from '#/strings/sharing.ts'

const Illustration = lazyPart(async () => (await import('#/components/brand/gate-illustrations.tsx')).EmptyGate, {
  notice: 'none',
})

interface ShareUnavailableProps {
  readonly cause: string
  readonly hint: string
  readonly canRetry: boolean
  readonly onRetry: () => void
}

export function ShareUnavailable({ cause, hint, canRetry, onRetry }: ShareUnavailableProps) {
  return (
    <>
      <Suspense fallback={<div className="size-30 max-md:size-24" />}>
        <Illustration className="max-md:size-24" />
      </Suspense>
      <h1 className="mt-5 heading text-2xl wrap-anywhere">{cause}</h1>
      {hint ? <p className="mt-1.5 mb-3 text-base text-ink-2">{hint}</p> : null}
      {canRetry ? (
        <Button variant="primary" className="mt-2 mb-3" onClick={onRetry}>
          {shareStrings.tryAgain}
        </Button>
      ) : null}
    </>
  )
}

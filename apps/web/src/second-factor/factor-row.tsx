import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { speak } from '#/api/failure.ts'
import { useProofGuard } from '#/passwords/use-proof-guard.tsx'
import { Button } from '#/ui/button.tsx'
import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { useToast } from '#/ui/toast.tsx'
import { secondFactorWords } from '#/words/second-factor.ts'
import type { LoadProvider, StandingFactor } from './factors.ts'
import { useRemoveFactor } from './second-factor.queries.ts'

interface FactorRowProps {
  readonly factor: StandingFactor
  readonly provider: LoadProvider
  /** Without it the password alone lets in. */
  readonly isLast: boolean
}

const calendar = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' })

export function FactorRow({ factor, provider, isLast }: FactorRowProps) {
  const [isAsked, setAsked] = useState(false)
  const remove = useRemoveFactor(provider)
  const toast = useToast()
  const { guard, proofDialog } = useProofGuard()
  const Picture = factor.kind === 'totp' ? KeyRound : Smartphone
  const kindName = factor.kind === 'totp' ? secondFactorWords.appKind : secondFactorWords.phoneKind

  function confirm() {
    guard(() => remove.mutateAsync(factor.id))
      .catch((error: unknown) =>
        toast({ text: speak(error, secondFactorWords.removeFailed), tone: 'rust', urgent: true }),
      )
      .finally(() => setAsked(false))
  }

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-control bg-sunken text-ink-2">
        <Picture size={18} strokeWidth={1.75} />
      </span>
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold wrap-anywhere">
          <bdi>{factor.name}</bdi>
        </p>
        <p className="mt-0.5 text-sm text-ink-2">
          {kindName}, {secondFactorWords.addedOn(calendar.format(factor.addedAt))}
        </p>
      </div>
      <Button
        variant="danger-quiet"
        size="compact"
        aria-label={`${secondFactorWords.remove}: ${factor.name}`}
        onClick={() => setAsked(true)}
      >
        {secondFactorWords.remove}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={secondFactorWords.removeTitle}
        description={isLast ? secondFactorWords.removeLast : secondFactorWords.removeOne}
        confirmLabel={secondFactorWords.remove}
        busy={remove.isPending}
        busyLabel={secondFactorWords.removing}
        onConfirm={confirm}
        finalFocus={() => document.getElementById('main') ?? true}
      >
        {proofDialog}
      </ConfirmDialog>
    </li>
  )
}

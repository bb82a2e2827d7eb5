import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { Name } from '#/components/names/name.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { Button } from '#/components/ui/button.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useReauthGuard } from '#/features/account/password-strength/use-reauth-guard.tsx'
import { mfaStrings } from '#/strings/account/mfa.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatDate } from '#/strings/format.ts'
import type { LoadProvider, VerifiedFactor } from './factors.ts'
import { useRemoveFactor } from './mfa.queries.ts'

interface FactorRowProps {
  readonly factor: VerifiedFactor
  readonly provider: LoadProvider
  /** Removing it turns two-factor authentication off. */
  readonly isLast: boolean
}

export function FactorRow({ factor, provider, isLast }: FactorRowProps) {
  const [isConfirming, setConfirming] = useState(false)
  const remove = useRemoveFactor(provider)
  const toast = useToast()
  const { guard, reauthDialog } = useReauthGuard()
  const Icon = factor.kind === 'totp' ? KeyRound : Smartphone
  const kindName = factor.kind === 'totp' ? mfaStrings.appKind : mfaStrings.phoneKind

  function confirm() {
    guard(() => remove.mutateAsync(factor.id))
      .catch((error: unknown) =>
        toast({ text: messageFor(error, mfaStrings.removeFailed), tone: 'rust', urgent: true }),
      )
      .finally(() => setConfirming(false))
  }

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-control bg-sunken text-ink-2">
        <Icon size={18} strokeWidth={1.75} />
      </span>
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold wrap-anywhere">
          <Name>{factor.name}</Name>
        </p>
        <p className="mt-0.5 text-sm text-ink-2">
          {kindName}, {mfaStrings.addedOn(formatDate(factor.addedAt))}
        </p>
      </div>
      <Button
        variant="danger-quiet"
        size="compact"
        className="-me-3"
        aria-label={`${mfaStrings.remove}: ${visibleName(factor.name)}`}
        onClick={() => setConfirming(true)}
      >
        {mfaStrings.remove}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={mfaStrings.removeTitle}
        description={isLast ? mfaStrings.removeLast : mfaStrings.removeOne}
        confirmLabel={mfaStrings.remove}
        busy={remove.isPending}
        busyLabel={mfaStrings.removing}
        onConfirm={confirm}
        finalFocus={() => document.getElementById('main') ?? true}
      >
        {reauthDialog}
      </ConfirmDialog>
    </li>
  )
}

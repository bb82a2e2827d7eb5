import { useState } from 'react'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import type { NewRecoveryKey } from '#/lib/keys/recovery-key.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { ConfirmGroup } from './confirm-group.tsx'
import { RecoverySheet } from './recovery-sheet.tsx'

interface RecoveryKeyDialogProps {
  readonly recoveryKey: NewRecoveryKey
  readonly replaces: boolean
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Shows the recovery key, then asks for one group of it to make sure that the user has saved it. */
export function RecoveryKeyDialog({ recoveryKey, replaces, onDone, onCancel }: RecoveryKeyDialogProps) {
  const [step, setStep] = useState<'show' | 'confirm'>('show')
  const isShown = step === 'show'
  const explanation = replaces
    ? `${securityStrings.keyShownOnce} ${securityStrings.keyReplaces}`
    : securityStrings.keyShownOnce
  return (
    <Dialog
      open
      closable={false}
      onOpenChange={onCancel}
      title={isShown ? securityStrings.keyTitle : securityStrings.confirmTitle}
      {...(isShown && { description: explanation })}
    >
      {isShown ? (
        <RecoverySheet groups={recoveryKey.groups} onSaved={() => setStep('confirm')} onCancel={onCancel} />
      ) : (
        <ConfirmGroup recoveryKey={recoveryKey} onDone={onDone} onBack={() => setStep('show')} />
      )}
    </Dialog>
  )
}

import { useState } from 'react'
import type { NewRecoveryKey } from '#/keys/recovery-key.ts'
import { Dialog } from '#/ui/dialog.tsx'
import { securityWords } from '#/words/security.ts'
import { ConfirmGroup } from './confirm-group.tsx'
import { RecoverySheet } from './recovery-sheet.tsx'

interface RecoveryKeyDialogProps {
  readonly recoveryKey: NewRecoveryKey
  readonly replaces: boolean
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Two steps: the key is shown, then one group of it is asked for, so that nobody relies on what they did not keep. */
export function RecoveryKeyDialog({ recoveryKey, replaces, onDone, onCancel }: RecoveryKeyDialogProps) {
  const [step, setStep] = useState<'show' | 'confirm'>('show')
  const isShown = step === 'show'
  const explanation = replaces
    ? `${securityWords.keyShownOnce} ${securityWords.keyReplaces}`
    : securityWords.keyShownOnce
  return (
    <Dialog
      open
      closable={false}
      onOpenChange={onCancel}
      title={isShown ? securityWords.keyTitle : securityWords.confirmTitle}
      {...(isShown && { description: explanation })}
    >
      {isShown ? (
        <RecoverySheet groups={recoveryKey.groups} onKept={() => setStep('confirm')} onCancel={onCancel} />
      ) : (
        <ConfirmGroup recoveryKey={recoveryKey} onDone={onDone} onBack={() => setStep('show')} />
      )}
    </Dialog>
  )
}

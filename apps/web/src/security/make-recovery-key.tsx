import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useCall } from '#/api/api-context.ts'
import { speak } from '#/api/failure.ts'
import type { NewRecoveryKey } from '#/keys/recovery-key.ts'
import { Button, type ButtonSize } from '#/ui/button.tsx'
import { useToast } from '#/ui/toast.tsx'
import { securityWords } from '#/words/security.ts'
import { recoveryQuery } from './security.queries.ts'
import { useSecurity } from './security-context.ts'

const RecoveryKeyDialog = lazy(async () => ({
  default: (await import('./recovery-key-dialog.tsx')).RecoveryKeyDialog,
}))

interface MakeRecoveryKeyProps {
  readonly label: string
  /** There is one already, which this one would replace. */
  readonly replaces: boolean
  readonly size?: ButtonSize
}

/** Makes a recovery key and shows it; it is in use once it has been confirmed, and forgotten otherwise. */
export function MakeRecoveryKey({ label, replaces, size = 'regular' }: MakeRecoveryKeyProps) {
  const { makeRecoveryKey } = useSecurity()
  const call = useCall()
  const queries = useQueryClient()
  const toast = useToast()
  const [made, setMade] = useState<NewRecoveryKey | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function make() {
    setBusy(true)
    try {
      setMade(await makeRecoveryKey())
    } catch (error) {
      toast({ text: speak(error, securityWords.makeFailed), tone: 'rust', urgent: true })
    } finally {
      setBusy(false)
    }
  }

  async function finish() {
    setMade(null)
    toast({ text: securityWords.inUse, tone: 'seal' })
    await queries.invalidateQueries(recoveryQuery(call))
  }

  return (
    <>
      <Button size={size} busy={isBusy} onClick={() => void make()}>
        {label}
      </Button>
      {made ? (
        <Suspense>
          <RecoveryKeyDialog
            recoveryKey={made}
            replaces={replaces}
            onDone={() => void finish()}
            onCancel={() => setMade(null)}
          />
        </Suspense>
      ) : null}
    </>
  )
}

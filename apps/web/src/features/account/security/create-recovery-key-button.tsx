import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { Button, type ButtonSize } from '#/components/ui/button.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { recoveryQuery } from './security.queries.ts'
import { useSecurity } from './security-context.ts'

const RecoveryKeyDialog = lazyPart(async () => (await import('./recovery-key-dialog.tsx')).RecoveryKeyDialog, {
  notice: 'floating',
})

interface CreateRecoveryKeyButtonProps {
  readonly label: string
  /** Whether the new key replaces an existing one. */
  readonly replaces: boolean
  readonly size?: ButtonSize
}

/** Creates and shows a recovery key. It is activated once confirmed, and discarded otherwise. */
export function CreateRecoveryKeyButton({ label, replaces, size = 'regular' }: CreateRecoveryKeyButtonProps) {
  const { createRecoveryKey } = useSecurity()
  const call = useCall()
  const queries = useQueryClient()
  const toast = useToast()
  const creation = useMutation({
    mutationFn: createRecoveryKey,
    networkMode: 'always',
    // The key must not stay in the cache.
    gcTime: 0,
    onError: (error) => toast({ text: messageFor(error, securityStrings.createFailed), tone: 'rust', urgent: true }),
  })

  async function finish() {
    creation.reset()
    toast({ text: securityStrings.recoveryReady, tone: 'seal' })
    await queries.invalidateQueries(recoveryQuery(call))
  }

  return (
    <>
      <Button size={size} busy={creation.isPending} onClick={() => creation.mutate()}>
        {label}
      </Button>
      {creation.data ? (
        <Suspense>
          <RecoveryKeyDialog
            recoveryKey={creation.data}
            replaces={replaces}
            onDone={() => void finish()}
            onCancel={creation.reset}
          />
        </Suspense>
      ) : null}
    </>
  )
}

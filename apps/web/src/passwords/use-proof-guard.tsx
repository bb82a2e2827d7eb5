import { ApiError } from '@sallyport/client/errors'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { authCodeOf } from '#/api/auth-words.ts'
import { SpokenError } from '#/api/failure.ts'
import { passwordProofWords } from '#/words/password-proof.ts'

const ConfirmPasswordDialog = lazy(async () => ({
  default: (await import('./confirm-password-dialog.tsx')).ConfirmPasswordDialog,
}))

interface PendingProof {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

interface GuardedWork {
  /** Runs the work; where the server asks for the password first, asks for it and runs the work again. */
  readonly guard: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The dialog that asks. Belongs inside any dialog that is open meanwhile, which would otherwise close. */
  readonly proofDialog: ReactNode
}

/** For changes to what protects an account: they need a password that was entered within the last minutes. */
export function useProofGuard(): GuardedWork {
  const [pending, setPending] = useState<PendingProof | null>(null)

  async function guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!needsProof(error)) throw error
    }
    await new Promise<void>((resolve, reject) => setPending({ resolve, reject })).finally(() => setPending(null))
    return work()
  }

  const proofDialog = pending ? (
    <Suspense>
      <ConfirmPasswordDialog
        onConfirmed={pending.resolve}
        onCancel={() => pending.reject(new SpokenError(passwordProofWords.cancelled))}
      />
    </Suspense>
  ) : null

  return { guard, proofDialog }
}

const needsProof = (error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'PASSWORD_PROOF_REQUIRED') ||
  authCodeOf(error) === 'reauthentication_needed'

import { ApiError } from '@sallyport/client/errors'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { authErrorCode } from '#/lib/api/auth-errors.ts'
import { reauthenticationStrings } from '#/strings/account/reauthentication.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'

const ConfirmPasswordDialog = lazyPart(
  async () => (await import('./confirm-password-dialog.tsx')).ConfirmPasswordDialog,
  { notice: 'floating' },
)

interface PendingReauth {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

interface ReauthGuard {
  /** Runs `work`. If the server requires the password, prompts for it and runs `work` again. */
  readonly guard: <Result>(action: () => Promise<Result>) => Promise<Result>
  /** The password dialog. Render it inside any other open dialog, which would otherwise close. */
  readonly reauthDialog: ReactNode
}

/**
 * Guards security-relevant changes, which require that the password was entered within the last minutes. `reason` is
 * shown in the password dialog instead of its usual text.
 */
export function useReauthGuard(reason?: string): ReauthGuard {
  const [pending, setPending] = useState<PendingReauth | null>(null)

  async function guard<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action()
    } catch (error) {
      if (!needsReauth(error)) throw error
    }
    await new Promise<void>((resolve, reject) => setPending({ resolve, reject })).finally(() => setPending(null))
    return action()
  }

  const reauthDialog = pending ? (
    <Suspense>
      <ConfirmPasswordDialog
        reason={reason}
        onConfirmed={pending.resolve}
        onCancel={() => pending.reject(new UserFacingError(reauthenticationStrings.cancelled))}
      />
    </Suspense>
  ) : null

  return { guard, reauthDialog }
}

const needsReauth = (error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'PASSWORD_PROOF_REQUIRED') ||
  authErrorCode(error) === 'reauthentication_needed'

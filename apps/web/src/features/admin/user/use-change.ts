import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { adminStatusQuery } from '#/lib/api/admin-status.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { adminKey } from '../admin.queries.ts'
import { useAdminCall } from '../use-admin-call.ts'

/** Runs calls that need a recent password. */
export interface ReauthGuard {
  /** Runs `action`. If the server requires the password, prompts for it and runs `action` again. */
  readonly guard: <Result>(action: () => Promise<Result>) => Promise<Result>
  /** The password dialog, to be rendered inside the dialog that is open. */
  readonly reauthDialog: ReactNode
}

export interface ChangeInput<Input> extends Pick<ReauthGuard, 'guard'> {
  /** Sends the change and resolves with the sentence of the answer. */
  readonly send: (call: Call, input: Input) => Promise<string>
  readonly onDone?: () => void
}

/** Changes an account, shows the answer and fetches again what the change affects. */
export function useChange<Input = void>({ guard, send, onDone }: ChangeInput<Input>) {
  const call = useAdminCall()
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (input: Input) => guard(() => send(call, input)),
    networkMode: 'always',
    async onSuccess(message) {
      // The page shows the change when the dialog closes.
      await Promise.all([
        queries.invalidateQueries({ queryKey: adminKey }),
        // An admin can change their own rights.
        queries.invalidateQueries({ queryKey: adminStatusQuery(call).queryKey }),
      ])
      toast({ text: message, tone: 'seal' })
      onDone?.()
    },
    // After a lost answer, too: the page shows what the server has.
    onError: () => void queries.invalidateQueries({ queryKey: adminKey }),
  })
}

/** The sentence that the server sent with an error, otherwise the fallback. */
export const changeErrorMessage = (error: unknown, fallback: string): string =>
  messageFor(error, fallback, () => (hasNoSentence(error) ? fallback : undefined))

const hasNoSentence = (error: unknown): boolean => error instanceof ApiError && error.serverMessage === ''

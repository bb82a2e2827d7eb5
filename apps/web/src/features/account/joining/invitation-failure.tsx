import { ApiError } from '@sallyport/client/errors'
import { TaskAlert, TaskButton, TaskLink } from '#/components/brand/task-page.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'
import { joiningStrings } from '#/strings/organization/joining.ts'

interface InvitationFailureProps {
  /** Null for a link that cannot be one. */
  readonly error: unknown
  /** What failed, where the answer does not say it. */
  readonly fallback: string
  readonly onRetry: () => void
}

/** Explains why an invitation cannot be used; what may work later can be tried again. */
export function InvitationFailure({ error, fallback, onRetry }: InvitationFailureProps) {
  if (isInvalidInvitation(error))
    return (
      <TaskAlert title={joiningStrings.invalid} details={joiningStrings.invalidHint}>
        <TaskLink to="/#signin">{joiningStrings.toLogin}</TaskLink>
      </TaskAlert>
    )
  return (
    <TaskAlert
      title={fallback}
      details={isUnreadable(error) ? joiningStrings.requestFailed : messageFor(error, fallback)}
    >
      {error instanceof ApiError && error.status < 500 && error.status !== 429 ? (
        <TaskLink to="/#signin">{joiningStrings.toLogin}</TaskLink>
      ) : (
        <TaskButton onClick={onRetry}>{joiningStrings.tryAgain}</TaskButton>
      )}
    </TaskAlert>
  )
}

export const isInvalidInvitation = (error: unknown): boolean =>
  error === null || (error instanceof ApiError && error.code === 'ORGANIZATION_INVITATION_INVALID')

/** Whether there was an answer that says nothing, as of a proxy. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === null && error.serverMessage === ''

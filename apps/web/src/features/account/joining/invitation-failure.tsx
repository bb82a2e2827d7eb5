import { ApiError } from '@sallyport/client/errors'
import type { ReactNode } from 'react'
import { TaskFailure, TaskLink } from '#/components/brand/task-page.tsx'
import { Button } from '#/components/ui/button.tsx'
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
      <Failure title={joiningStrings.invalid} details={joiningStrings.invalidHint}>
        <TaskLink to="/#signin">{joiningStrings.toLogin}</TaskLink>
      </Failure>
    )
  return (
    <Failure
      title={fallback}
      details={isUnreadable(error) ? joiningStrings.requestFailed : messageFor(error, fallback)}
    >
      {error instanceof ApiError && error.status < 500 && error.status !== 429 ? (
        <TaskLink to="/#signin">{joiningStrings.toLogin}</TaskLink>
      ) : (
        <Button variant="primary" size="large" className="mt-5 w-full" onClick={onRetry}>
          {joiningStrings.tryAgain}
        </Button>
      )}
    </Failure>
  )
}

export const isInvalidInvitation = (error: unknown): boolean =>
  error === null || (error instanceof ApiError && error.code === 'ORGANIZATION_INVITATION_INVALID')

/** Whether there was an answer that says nothing, as of a proxy. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === null && error.serverMessage === ''

interface FailureProps {
  readonly title: string
  readonly details: string
  readonly children: ReactNode
}

const Failure = (props: FailureProps) => (
  <div role="alert" className="grid justify-items-center text-center">
    <TaskFailure {...props} />
  </div>
)

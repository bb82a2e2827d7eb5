import { admin, DeletionStep, type UserDetail } from '@sallyport/contract/admin'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { adminActionStrings } from '#/strings/admin/actions.ts'
import { adminUserStrings } from '#/strings/admin/user.ts'
import { formatDateAndTime } from '#/strings/format.ts'
import { Detail, DetailList } from './detail-list.tsx'
import { changeErrorMessage, type ReauthGuard, useChange } from './use-change.ts'
import { useLeaveUser } from './use-leave-user.ts'
import { useUserActions } from './user-actions.tsx'

interface DeletionCardProps extends ReauthGuard {
  readonly detail: UserDetail
}

/** Deletes the account, or shows how far its deletion is. */
export function DeletionCard({ detail, ...guard }: DeletionCardProps) {
  const { ask } = useUserActions()
  const { deletion, abilities } = detail
  if (!deletion && !abilities.delete) return null
  return (
    <Card aria-labelledby="deletion-heading">
      <CardHeading id="deletion-heading" focusable title={adminUserStrings.deletion} />
      {deletion ? (
        <DeletionProgress userId={detail.user.id} deletion={deletion} {...guard} />
      ) : (
        <>
          <p className="mt-1 text-sm text-ink-2">{adminUserStrings.deletionText}</p>
          <Button variant="danger" className="mt-4" onClick={() => ask({ type: 'delete' })}>
            {adminUserStrings.deletion}
          </Button>
        </>
      )}
    </Card>
  )
}

interface DeletionProgressProps extends ReauthGuard {
  readonly userId: string
  readonly deletion: NonNullable<UserDetail['deletion']>
}

function DeletionProgress({ userId, deletion, guard, reauthDialog }: DeletionProgressProps) {
  const leave = useLeaveUser()
  const retry = useChange({
    guard,
    async send(call) {
      const { message, state } = await call(admin.deleteUser, { params: { id: userId }, body: {} })
      if (state === 'deleted') leave()
      return message
    },
  })
  const steps = DeletionStep.options
  const current = steps.indexOf(deletion.step)
  const error = retry.error ? changeErrorMessage(retry.error, adminActionStrings.delete.failed) : errorOf(deletion)
  return (
    <>
      <p className="mt-1 text-sm text-ink-2">{adminUserStrings.deletingSince(formatDateAndTime(deletion.since))}</p>
      <p role="status" className="mt-1 text-sm font-semibold">
        {adminUserStrings.step(current + 1, steps.length, adminUserStrings.deletionSteps[deletion.step])}
      </p>
      <div className="mt-2">
        <DetailList>
          {steps.map((step, index) => (
            <Detail key={step} label={adminUserStrings.deletionSteps[step]}>
              {stateOf(index - current, deletion.error !== null)}
            </Detail>
          ))}
        </DetailList>
      </div>
      <FormAlert message={error} />
      {deletion.error === null ? null : (
        <Button
          className="mt-4"
          busy={retry.isPending}
          busyLabel={adminActionStrings.delete.working}
          onClick={() => retry.mutate()}
        >
          {adminUserStrings.tryAgain}
        </Button>
      )}
      {reauthDialog}
    </>
  )
}

const errorOf = ({ error }: NonNullable<UserDetail['deletion']>): string | null =>
  error === null ? null : adminUserStrings.deletionFailed(error)

/** The state of a step that comes before (negative), at or after the current one. */
function stateOf(distance: number, hasFailed: boolean): string {
  if (distance < 0) return adminUserStrings.stepDone
  if (distance > 0) return adminUserStrings.stepWaiting
  return hasFailed ? adminUserStrings.stepFailed : adminUserStrings.stepRunning
}

import { ApiError } from '@sallyport/client/errors'
import { invitations } from '@sallyport/contract/invitations'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router'
import { Seal } from '#/components/brand/seal.tsx'
import { TaskAlert, TaskButton, TaskLink, TaskPage } from '#/components/brand/task-page.tsx'
import { buttonClass } from '#/components/ui/button.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import type { Account } from '#/lib/api/auth.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import type { KeyDerivationDeps } from '#/lib/keys/password-keys.ts'
import { inviteStrings } from '#/strings/account/invitations.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { productName } from '#/strings/product.ts'
import { fetchLinkStatus } from '../use-emailed-link.ts'
import { ClaimForAccount } from './claim-for-account.tsx'
import { ClaimForm } from './claim-form.tsx'
import { InvitationDetails } from './invitation-details.tsx'

interface InvitePageProps {
  readonly keyDerivation: KeyDerivationDeps
  /** The account that is signed in. */
  readonly account: Account | null
}

/** Shows what a magic link grants and the form to claim it. Opening the page does not consume the link. */
export function InvitePage({ keyDerivation, account }: InvitePageProps) {
  const { token = '' } = useParams()
  const call = useCall()
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call(invitations.validateMagicLink, { params: { token } }),
    staleTime: Infinity,
  })
  const [createdFor, setCreatedFor] = useState<string | null>(null)
  const [isInvalidated, setInvalidated] = useState(false)
  const [isClaimed, setClaimed] = useState(false)
  const [wantsAnother, setWantsAnother] = useState(false)
  useTitle(`${inviteStrings.title} · ${productName}`)

  function content(): ReactNode {
    if (createdFor !== null) return <AccountCreated email={createdFor} />
    if (isClaimed) return <LicenceClaimed />
    if (isInvalidated || isInvalid(error)) return <InvalidInvitation token={token} isSignedIn={account !== null} />
    if (error) return <CheckFailed error={error} onRetry={() => void refetch()} />
    if (!data) return <CheckingInvitation />
    return (
      <>
        <InvitationDetails licence={data.type} storageGigabytes={data.storage_gb} seats={data.seats} days={data.days} />
        {account && !wantsAnother ? (
          <ClaimForAccount
            account={account}
            token={token}
            onClaimed={() => setClaimed(true)}
            onOtherAccount={() => setWantsAnother(true)}
          />
        ) : (
          <ClaimForm
            keyDerivation={keyDerivation}
            token={token}
            onCreated={setCreatedFor}
            onInvalid={() => setInvalidated(true)}
          />
        )}
      </>
    )
  }
  return <TaskPage>{content()}</TaskPage>
}

const isInvalid = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'INVITATION_INVALID' || error.status === 404)

function CheckingInvitation() {
  return (
    <div role="status" className="grid gap-4">
      <h1 className="heading text-2xl">{inviteStrings.checking}</h1>
      <Skeleton className="h-40" />
    </div>
  )
}

interface InvalidInvitationProps {
  readonly token: string
  readonly isSignedIn: boolean
}

/** Says whether the invitation has been used, possibly by this user, and what to do next. */
function InvalidInvitation({ token, isSignedIn }: InvalidInvitationProps) {
  const call = useCall()
  const { data: status, isPending } = useQuery({
    queryKey: ['invitation-status', token],
    queryFn: () => fetchLinkStatus(call, token),
    retry: false,
  })
  if (isPending) return <CheckingInvitation />
  return (
    <TaskAlert
      title={inviteStrings.invalid}
      details={status === 'used' ? inviteStrings.usedHint : inviteStrings.invalidHint}
    >
      {isSignedIn ? (
        <TaskLink to="/">{inviteStrings.toFiles}</TaskLink>
      ) : (
        <TaskLink to="/#signin">{inviteStrings.home}</TaskLink>
      )}
    </TaskAlert>
  )
}

interface CheckFailedProps {
  readonly error: Error
  readonly onRetry: () => void
}

function CheckFailed({ error, onRetry }: CheckFailedProps) {
  return (
    <TaskAlert title={inviteStrings.validationFailed} details={messageFor(error, inviteStrings.validationFailed)}>
      <TaskButton onClick={onRetry}>{inviteStrings.tryAgain}</TaskButton>
    </TaskAlert>
  )
}

function LicenceClaimed() {
  return (
    <div role="status" className="grid justify-items-center gap-2 text-center">
      <Seal state="sealed" className="mb-2" />
      <h1 className="heading text-2xl">{inviteStrings.claimedTitle}</h1>
      <p className="text-sm text-ink-2">{inviteStrings.claimed}</p>
      <TaskLink to="/">{inviteStrings.toFiles}</TaskLink>
    </div>
  )
}

function AccountCreated({ email }: { readonly email: string }) {
  const { data: config } = useQuery(configQuery(useCall()))
  return (
    <div role="status" className="grid gap-2">
      <h1 className="heading text-2xl">{inviteStrings.createdTitle}</h1>
      <p className="text-sm text-ink-2">
        {config?.features.verificationRequired ? inviteStrings.createdUnconfirmed : inviteStrings.created}
      </p>
      <p className="text-sm text-ink-2">{inviteStrings.existing}</p>
      <Link to="/#signin" state={{ email }} className={classNames(buttonClass('primary', 'large'), 'mt-3 w-full')}>
        {inviteStrings.signIn}
      </Link>
    </div>
  )
}

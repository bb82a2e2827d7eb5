import { ApiError } from '@sallyport/client/errors'
import { invitations } from '@sallyport/contract/invitations'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router'
import { useCall } from '#/api/api-context.ts'
import { configQuery } from '#/api/config.query.ts'
import { speak } from '#/api/failure.ts'
import type { DeriveDeps } from '#/keys/password-keys.ts'
import { EmptyGate } from '#/motifs/gate-pictures.tsx'
import { TaskPage } from '#/motifs/task-page.tsx'
import { Button, buttonClass } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { Skeleton } from '#/ui/skeleton.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { inviteWords } from '#/words/invitations.ts'
import { productName } from '#/words/product.ts'
import { ClaimForm } from './claim-form.tsx'
import { Grant } from './grant.tsx'

interface InvitePageProps {
  readonly deriving: DeriveDeps
}

/** What a magic link gives, and the form that takes it. Looking uses nothing up. */
export function InvitePage({ deriving }: InvitePageProps) {
  const { token = '' } = useParams()
  const call = useCall()
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call(invitations.validateMagicLink, { params: { token } }),
    staleTime: Infinity,
  })
  const [createdFor, setCreatedFor] = useState<string | null>(null)
  const [isRefused, setRefused] = useState(false)
  useTitle(`${inviteWords.title} · ${productName}`)

  function content(): ReactNode {
    if (createdFor !== null) return <Created email={createdFor} />
    if (isRefused || isInvalid(error)) return <Unusable title={inviteWords.invalid} more={inviteWords.invalidMore} />
    if (error) return <Unchecked error={error} onRetry={() => void refetch()} />
    if (!data) return <Checking />
    return (
      <>
        <Grant licence={data.type} storageGigabytes={data.storage_gb} seats={data.seats} />
        <ClaimForm deriving={deriving} token={token} onCreated={setCreatedFor} onInvalid={() => setRefused(true)} />
      </>
    )
  }
  return <TaskPage>{content()}</TaskPage>
}

const isInvalid = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'INVITATION_INVALID' || error.status === 404)

function Checking() {
  return (
    <div role="status" className="grid gap-4">
      <h1 className="heading text-2xl">{inviteWords.checking}</h1>
      <Skeleton className="h-40" />
    </div>
  )
}

interface UnusableProps {
  readonly title: string
  readonly more: string
  readonly children?: ReactNode
}

function Unusable({ title, more, children }: UnusableProps) {
  return (
    <div role="alert" className="grid justify-items-center text-center">
      <EmptyGate className="size-24" />
      <h1 className="mt-4 heading text-2xl">{title}</h1>
      <p className="mt-2 text-sm text-ink-2">{more}</p>
      {children ?? (
        <Link to="/#signin" className={classNames(buttonClass('primary', 'large'), 'mt-5 w-full')}>
          {inviteWords.home}
        </Link>
      )}
    </div>
  )
}

interface UncheckedProps {
  readonly error: Error
  readonly onRetry: () => void
}

function Unchecked({ error, onRetry }: UncheckedProps) {
  return (
    <Unusable title={inviteWords.unchecked} more={speak(error, inviteWords.unchecked)}>
      <Button variant="primary" size="large" className="mt-5 w-full" onClick={onRetry}>
        {inviteWords.tryAgain}
      </Button>
    </Unusable>
  )
}

function Created({ email }: { readonly email: string }) {
  const { data: config } = useQuery(configQuery(useCall()))
  return (
    <div role="status" className="grid gap-2">
      <h1 className="heading text-2xl">{inviteWords.createdTitle}</h1>
      <p className="text-sm text-ink-2">
        {config?.features.verificationRequired ? inviteWords.createdUnconfirmed : inviteWords.created}
      </p>
      <Link to="/#signin" state={{ email }} className={classNames(buttonClass('primary', 'large'), 'mt-3 w-full')}>
        {inviteWords.signIn}
      </Link>
    </div>
  )
}

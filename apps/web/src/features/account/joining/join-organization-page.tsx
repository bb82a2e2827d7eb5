import { organizations } from '@sallyport/contract/organizations'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { TaskLink, TaskPage } from '#/components/brand/task-page.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { joiningStrings } from '#/strings/organization/joining.ts'
import { productName } from '#/strings/product.ts'
import { useAccounts } from '../accounts-context.ts'
import { InvitationFailure } from './invitation-failure.tsx'
import { isCopiedToken, readInvitationToken } from './invitation-token.ts'
import { JoinForm } from './join-form.tsx'

/** The page of an invitation for people who are not signed in. Opening it does not use the invitation. */
export function JoinOrganizationPage() {
  const { token: text = '' } = useParams()
  const token = readInvitationToken(text)
  const call = useCall()
  // The form signs in itself.
  const [isJoining, setJoining] = useState(false)
  const navigate = useNavigate()
  const authSession = useObservable(useAccounts().signInDeps.auth.state)
  const { data, error, refetch } = useQuery({
    queryKey: ['organization-invitation', token],
    queryFn: () => call(organizations.validateInvite, { params: { token } }),
    enabled: token !== '',
    staleTime: Infinity,
  })
  useTitle(`${joiningStrings.title} · ${productName}`)

  const account = authSession.phase === 'signed-in' ? authSession.account : null
  const isTheirs = !isJoining && account !== null && (isCopiedToken(token) || account.email === data?.email)
  useEffect(() => {
    if (isTheirs) void navigate(`/accept-invite/${token}`, { replace: true })
  }, [isTheirs, token, navigate])

  function content(): ReactNode {
    if (token === '' || error)
      return (
        <InvitationFailure
          error={token === '' ? null : error}
          fallback={joiningStrings.validationFailed}
          onRetry={() => void refetch()}
        />
      )
    if (!data || isTheirs) return <CheckingInvitation />
    return (
      <>
        <h1 className="heading text-2xl wrap-anywhere">{joiningStrings.join(visibleName(data.organization_name))}</h1>
        <p className="mt-1.5 text-sm text-ink-2">{joiningStrings.as[data.role]}</p>
        <p className="mt-1.5 mb-5 text-xs text-ink-3">{joiningStrings.seen}</p>
        {isCopiedToken(token) ? (
          <CopiedLink email={visibleName(data.email)} />
        ) : (
          <JoinForm token={token} email={data.email} hasAccount={data.has_account} onJoining={setJoining} />
        )}
      </>
    )
  }
  return <TaskPage>{content()}</TaskPage>
}

const CheckingInvitation = () => (
  <div role="status" className="grid gap-4">
    <h1 className="heading text-2xl">{joiningStrings.checking}</h1>
    <Skeleton className="h-40" />
  </div>
)

const CopiedLink = ({ email }: { readonly email: string }) => (
  <>
    <p className="text-sm font-semibold wrap-anywhere">{joiningStrings.signInFirst(email)}</p>
    <p className="mt-1.5 text-sm text-ink-2">{joiningStrings.copiedHint}</p>
    <TaskLink to="/#signin">{joiningStrings.toLogin}</TaskLink>
  </>
)

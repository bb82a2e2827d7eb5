import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { joinedRedirectMs } from '@sallyport/contract/limits'
import { membership } from '@sallyport/contract/membership'
import { organizations } from '@sallyport/contract/organizations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Seal } from '#/components/brand/seal.tsx'
import { TaskAlert, TaskButton, TaskLink, TaskPage } from '#/components/brand/task-page.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { type Account, accountName } from '#/lib/api/auth.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { joiningStrings } from '#/strings/organization/joining.ts'
import { productName } from '#/strings/product.ts'
import { useAccounts } from '../accounts-context.ts'
import { InvitationFailure, isInvalidInvitation } from './invitation-failure.tsx'
import { readInvitationToken } from './invitation-token.ts'

/** Accepts an invitation for the account that is signed in; others go to the page with the form. */
export function AcceptInvitationPage() {
  const { token: text = '' } = useParams()
  const token = readInvitationToken(text)
  const call = useCall()
  const { signInDeps, authController } = useAccounts()
  const navigate = useNavigate()
  const authSession = useObservable(signInDeps.auth.state)
  const isSignedIn = authSession.phase === 'signed-in'
  // A query, because a page that is shown twice must not accept twice.
  const { data, error, refetch } = useQuery({
    queryKey: ['accept-invitation', token],
    queryFn: () => acceptInvitation(call, token),
    enabled: token !== '' && isSignedIn,
    staleTime: Infinity,
    retry: false,
  })
  useTitle(`${joiningStrings.title} · ${productName}`)

  async function changeAccount() {
    await navigate(`/join-org/${token}`, { replace: true })
    await authController.signOut()
  }

  const isStranger = authSession.phase === 'signed-out' || authSession.phase === 'second-factor'
  useEffect(() => {
    if (token !== '' && isStranger) void navigate(`/join-org/${token}`, { replace: true })
  }, [token, isStranger, navigate])

  function content(): ReactNode {
    if (data) return <Joined text={data} />
    if (isForAnother(error) && isSignedIn)
      return <ForAnother error={error} account={authSession.account} onContinue={() => void changeAccount()} />
    if (token === '' || error)
      return (
        <InvitationFailure
          error={token === '' ? null : error}
          fallback={joiningStrings.acceptFailed}
          onRetry={() => void refetch()}
        />
      )
    return <Accepting />
  }
  return <TaskPage>{content()}</TaskPage>
}

/** Accepts and returns the sentence to show. The second of two tabs finds the invitation used, and the membership. */
async function acceptInvitation(call: Call, token: string): Promise<string> {
  try {
    const { organization } = await call(organizations.acceptInvite, { body: { token } })
    return joiningStrings.joined(visibleName(organization.name))
  } catch (error) {
    if (!isInvalidInvitation(error)) throw error
    const { organization } = await call(membership, {})
    if (!organization) throw error
    return joiningStrings.alreadyIn(visibleName(organization.name))
  }
}

const isForAnother = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'INVITATION_FOR_ANOTHER'

const Accepting = () => (
  <div role="status" className="text-center">
    <Seal state="waiting" className="mx-auto mb-4" />
    <h1 className="heading text-2xl">{joiningStrings.accepting}</h1>
  </div>
)

/** Leads to the files after a moment. Everything but the configuration may have changed with the seat. */
function Joined({ text }: { readonly text: string }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { authController } = useAccounts()

  useEffect(() => {
    authController.closeUpgrade()
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== 'config' && queryKey[0] !== 'accept-invitation',
    })
    const timer = setTimeout(() => void navigate('/', { replace: true }), joinedRedirectMs)
    return () => clearTimeout(timer)
  }, [navigate, queries, authController])

  return (
    <div role="status" className="text-center">
      <Seal state="sealed" className="mx-auto mb-4" />
      <h1 className="heading text-2xl wrap-anywhere">{text}</h1>
      <p className="mt-2 text-sm text-ink-2">{joiningStrings.joinedHint}</p>
      <TaskLink to="/" replace>
        {joiningStrings.goNow}
      </TaskLink>
    </div>
  )
}

interface ForAnotherProps {
  readonly error: ApiError
  readonly account: Account
  readonly onContinue: () => void
}

const ForAnother = ({ error, account, onContinue }: ForAnotherProps) => (
  <TaskAlert title={error.serverMessage} details={joiningStrings.signedInAs(visibleName(accountName(account)))}>
    <TaskButton onClick={onContinue}>{joiningStrings.otherAccount}</TaskButton>
  </TaskAlert>
)

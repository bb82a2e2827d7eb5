import { confirmedRedirectMs } from '@sallyport/contract/limits'
import type { GoTrueClient } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { TaskFailure, TaskLink, TaskPage } from '#/components/brand/task-page.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { useApi } from '#/lib/api/api-context.ts'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import { confirmStrings } from '#/strings/account/confirm.ts'
import { productName } from '#/strings/product.ts'
import { useEmailedLink } from '../use-emailed-link.ts'
import { readConfirmationLink } from './confirmation-link.ts'
import { NewLinkForm } from './new-link-form.tsx'

const signInPath = '/?verified=true#signin'

/** Target page of confirmation links. Only its own request consumes the link, so email scanners do not. */
export function ConfirmPage() {
  const { createEphemeralAuthClient } = useApi()
  const navigate = useNavigate()
  const { state, retry } = useEmailedLink({
    readLink: readConfirmationLink,
    invalidMessage(link) {
      if (link.kind === 'token') return null
      return link.kind === 'invalid' ? confirmStrings.invalidLink : confirmStrings.urlError(link.description)
    },
    async verify(link) {
      if (link.kind === 'token') await confirmEmail(createEphemeralAuthClient, link.tokenHash)
      return { step: 'done' } as const
    },
    expired: confirmStrings.expired,
    failed: confirmStrings.failedTitle,
  })
  useTitle(`${titleOf(state.step)} · ${productName}`)

  useEffect(() => {
    if (state.step !== 'done') return
    const timer = setTimeout(() => void navigate(signInPath, { replace: true }), confirmedRedirectMs)
    return () => clearTimeout(timer)
  }, [state, navigate])

  return (
    <TaskPage>
      <div aria-live="polite" className="grid justify-items-center text-center">
        {state.step === 'verifying' ? <Verifying /> : null}
        {state.step === 'done' ? <Done /> : null}
        {state.step === 'failed' ? <Failed {...state} onRetry={retry} /> : null}
      </div>
    </TaskPage>
  )
}

const titleOf = (step: 'verifying' | 'done' | 'failed'): string =>
  ({ verifying: confirmStrings.verifying, done: confirmStrings.doneTitle, failed: confirmStrings.failedTitle })[step]

/**
 * Confirms an email address. The auth session that the provider starts for it is ended at once: without the password
 * there are no keys.
 */
async function confirmEmail(createClient: () => Promise<GoTrueClient>, tokenHash: string): Promise<void> {
  const provider = await createClient()
  unwrapAuthResponse(await provider.verifyOtp({ type: 'email', token_hash: tokenHash }))
  await provider.signOut({ scope: 'local' })
}

function Verifying() {
  return (
    <>
      <h1 className="heading text-2xl">{confirmStrings.verifying}</h1>
      <p className="mt-2 text-sm text-ink-2">{confirmStrings.verifyingHint}</p>
    </>
  )
}

function Done() {
  return (
    <>
      <h1 className="heading text-2xl">{confirmStrings.doneTitle}</h1>
      <p className="mt-2 text-sm text-ink-2">{confirmStrings.done}</p>
      <TaskLink to={signInPath} replace>
        {confirmStrings.goNow}
      </TaskLink>
    </>
  )
}

interface FailedProps {
  readonly message: string
  readonly canRetry: boolean
  readonly onRetry: () => void
}

function Failed({ message, canRetry, onRetry }: FailedProps) {
  const [isFormShown, setFormShown] = useState(false)
  return (
    <TaskFailure title={confirmStrings.failedTitle} details={message}>
      <TaskLink to="/#signin">{confirmStrings.toLogin}</TaskLink>
      {canRetry ? (
        <Button className="mt-2.5 w-full" onClick={onRetry}>
          {confirmStrings.tryAgain}
        </Button>
      ) : null}
      {!canRetry && !isFormShown ? (
        <Button variant="quiet" className="mt-2.5 w-full" onClick={() => setFormShown(true)}>
          {confirmStrings.newLink}
        </Button>
      ) : null}
      {isFormShown ? <NewLinkForm /> : null}
    </TaskFailure>
  )
}

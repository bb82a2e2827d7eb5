import { confirmedRedirectMs } from '@sallyport/contract/limits'
import type { GoTrueClient } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { Seal } from '#/components/brand/seal.tsx'
import { TaskFailure, TaskLink, TaskPage } from '#/components/brand/task-page.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { useApi } from '#/lib/api/api-context.ts'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import { confirmStrings } from '#/strings/account/confirm.ts'
import { productName } from '#/strings/product.ts'
import { useEmailedLink } from '../use-emailed-link.ts'
import { type ConfirmationType, readConfirmationLink } from './confirmation-link.ts'
import { NewLinkForm } from './new-link-form.tsx'

const verifiedPath = '/?verified=true'
const signInPath = `${verifiedPath}#signin`

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
      if (link.kind !== 'token') throw new Error('Only a link with a token is verified')
      return { step: await confirmEmail(createEphemeralAuthClient, link) }
    },
    expired: confirmStrings.expired,
    failed: confirmStrings.failedTitle,
  })
  useTitle(`${titleOf(state.step)} · ${productName}`)

  useEffect(() => {
    if (state.step !== 'done' && state.step !== 'changed') return
    // A reload must not verify the link again, which has been used.
    history.replaceState(history.state, '', verifiedPath)
    const timer = setTimeout(() => void navigate(signInPath, { replace: true }), confirmedRedirectMs)
    return () => clearTimeout(timer)
  }, [state, navigate])

  return (
    <TaskPage>
      <div aria-live="polite" className="grid justify-items-center text-center">
        {state.step === 'failed' || state.step === 'half-changed' ? null : (
          <Seal state={state.step === 'verifying' ? 'waiting' : 'sealed'} className="mb-4" />
        )}
        {state.step === 'verifying' ? <Verifying /> : null}
        {state.step === 'done' ? <Done title={confirmStrings.doneTitle} text={confirmStrings.done} /> : null}
        {state.step === 'changed' ? <Done title={confirmStrings.changedTitle} text={confirmStrings.changed} /> : null}
        {state.step === 'half-changed' ? <HalfChanged /> : null}
        {state.step === 'failed' ? <Failed {...state} onRetry={retry} /> : null}
      </div>
    </TaskPage>
  )
}

/** `half-changed` while the other address has not confirmed the change yet. */
type Confirmed = 'done' | 'changed' | 'half-changed'

const titleOf = (step: Confirmed | 'verifying' | 'failed'): string =>
  ({
    verifying: confirmStrings.verifying,
    done: confirmStrings.doneTitle,
    changed: confirmStrings.changedTitle,
    'half-changed': confirmStrings.halfChangedTitle,
    failed: confirmStrings.failedTitle,
  })[step]

/**
 * Confirms an email address. The auth session that the provider starts for it is ended at once: without the password
 * there are no keys.
 */
async function confirmEmail(
  createClient: () => Promise<GoTrueClient>,
  { type, tokenHash }: { readonly type: ConfirmationType; readonly tokenHash: string },
): Promise<Confirmed> {
  const provider = await createClient()
  const { session } = unwrapAuthResponse(await provider.verifyOtp({ type, token_hash: tokenHash }))
  if (session === null) return 'half-changed'
  await provider.signOut({ scope: 'local' })
  return type === 'email' ? 'done' : 'changed'
}

function Verifying() {
  return (
    <>
      <h1 className="heading text-2xl">{confirmStrings.verifying}</h1>
      <p className="mt-2 text-sm text-ink-2">{confirmStrings.verifyingHint}</p>
    </>
  )
}

interface DoneProps {
  readonly title: string
  readonly text: string
}

function Done({ title, text }: DoneProps) {
  return (
    <>
      <h1 className="heading text-2xl">{title}</h1>
      <p className="mt-2 text-sm text-ink-2">{text}</p>
      <TaskLink to={signInPath} replace>
        {confirmStrings.goNow}
      </TaskLink>
    </>
  )
}

function HalfChanged() {
  return (
    <>
      <h1 className="heading text-2xl">{confirmStrings.halfChangedTitle}</h1>
      <p className="mt-2 text-sm text-ink-2">{confirmStrings.halfChanged}</p>
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
    <TaskFailure title={canRetry ? confirmStrings.unansweredTitle : confirmStrings.failedTitle} details={message}>
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

import { confirmedRedirectMs } from '@sallyport/contract/limits'
import type { GoTrueClient } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { Seal } from '#/components/brand/seal.tsx'
import { TaskButton, TaskFailure, TaskLink, TaskPage } from '#/components/brand/task-page.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { useApi } from '#/lib/api/api-context.ts'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import { confirmStrings } from '#/strings/account/confirm.ts'
import { productName } from '#/strings/product.ts'
import { fetchLinkStatus, useEmailedLink } from '../use-emailed-link.ts'
import { type ConfirmationType, readConfirmationLink } from './confirmation-link.ts'
import { NewLinkForm } from './new-link-form.tsx'

const verifiedPath = '/?verified=true'
const signInPath = `${verifiedPath}#signin`

/** Target page of confirmation links. Only its button uses the link, so email scanners do not. */
export function ConfirmPage() {
  const { call, createEphemeralAuthClient } = useApi()
  const navigate = useNavigate()
  const { link, state, consume } = useEmailedLink({
    readLink: readConfirmationLink,
    invalidMessage(link) {
      if (link.kind === 'token') return null
      return link.kind === 'invalid' ? confirmStrings.invalidLink : confirmStrings.urlError(link.description)
    },
    getStatus: async (link) => (link.kind === 'token' ? fetchLinkStatus(call, link.tokenHash) : 'expired'),
    async verify(link) {
      if (link.kind !== 'token') throw new Error('Only a link with a token is verified')
      return { step: await confirmEmail(createEphemeralAuthClient, link) }
    },
    expired: confirmStrings.expired,
    failed: confirmStrings.failedTitle,
  })
  const isChange = link.kind === 'token' && link.type === 'email_change'
  useTitle(`${titleOf(state.step, isChange)} · ${productName}`)

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
          <Seal state={sealStates[state.step]} className="mb-4" />
        )}
        {state.step === 'verifying' ? <Verifying /> : null}
        {state.step === 'unused' ? <Unused isChange={isChange} onConfirm={consume} /> : null}
        {state.step === 'used' ? <Used isChange={isChange} /> : null}
        {state.step === 'done' ? <Done title={confirmStrings.doneTitle} text={confirmStrings.done} /> : null}
        {state.step === 'changed' ? <Done title={confirmStrings.changedTitle} text={confirmStrings.changed} /> : null}
        {state.step === 'half-changed' ? <HalfChanged /> : null}
        {state.step === 'failed' ? <Failed {...state} /> : null}
      </div>
    </TaskPage>
  )
}

const sealStates = { verifying: 'waiting', unused: 'idle', used: 'sealed', done: 'sealed', changed: 'sealed' } as const

/** `half-changed` while the other address has not confirmed the change yet. */
type Confirmed = 'done' | 'changed' | 'half-changed'

const titleOf = (step: Confirmed | 'verifying' | 'unused' | 'used' | 'failed', isChange: boolean): string =>
  ({
    unused: isChange ? confirmStrings.unusedChangeTitle : confirmStrings.unusedTitle,
    used: isChange ? confirmStrings.usedChangeTitle : confirmStrings.usedTitle,
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
  return type === 'email_change' ? 'changed' : 'done'
}

function Verifying() {
  return (
    <>
      <h1 className="heading text-2xl">{confirmStrings.verifying}</h1>
      <p className="mt-2 text-sm text-ink-2">{confirmStrings.verifyingHint}</p>
    </>
  )
}

interface UnusedProps {
  readonly isChange: boolean
  readonly onConfirm: () => void
}

function Unused({ isChange, onConfirm }: UnusedProps) {
  return (
    <>
      <h1 className="heading text-2xl">{titleOf('unused', isChange)}</h1>
      <p className="mt-2 text-sm text-ink-2">{confirmStrings.unused}</p>
      <TaskButton onClick={onConfirm}>{confirmStrings.confirm}</TaskButton>
    </>
  )
}

function Used({ isChange }: { readonly isChange: boolean }) {
  return (
    <>
      <h1 className="heading text-2xl">{titleOf('used', isChange)}</h1>
      <p className="mt-2 text-sm text-ink-2">{isChange ? confirmStrings.usedChange : confirmStrings.used}</p>
      <TaskLink to="/#signin">{confirmStrings.toLogin}</TaskLink>
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
  readonly retry: (() => void) | null
}

function Failed({ message, retry }: FailedProps) {
  const [isFormShown, setFormShown] = useState(false)
  return (
    <TaskFailure title={retry ? confirmStrings.unansweredTitle : confirmStrings.failedTitle} details={message}>
      <TaskLink to="/#signin">{confirmStrings.toLogin}</TaskLink>
      {retry ? (
        <Button className="mt-2.5 w-full" onClick={retry}>
          {confirmStrings.tryAgain}
        </Button>
      ) : null}
      {!retry && !isFormShown ? (
        <Button variant="quiet" className="mt-2.5 w-full" onClick={() => setFormShown(true)}>
          {confirmStrings.newLink}
        </Button>
      ) : null}
      {isFormShown ? <NewLinkForm /> : null}
    </TaskFailure>
  )
}

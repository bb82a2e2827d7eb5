import { confirmedRedirectMs } from '@sallyport/contract/limits'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useApi } from '#/api/api-context.ts'
import { authCodeOf } from '#/api/auth-words.ts'
import { speak } from '#/api/failure.ts'
import { EmptyGate } from '#/motifs/gate-pictures.tsx'
import { TaskPage } from '#/motifs/task-page.tsx'
import { Button, buttonClass } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { useAttempt } from '#/ui/use-attempt.ts'
import { useReloadOnNewLink } from '#/ui/use-reload-on-new-link.ts'
import { useTitle } from '#/ui/use-title.ts'
import { confirmWords } from '#/words/confirm.ts'
import { productName } from '#/words/product.ts'
import { confirmAddress } from './confirm-address.ts'
import { readConfirmationLink } from './confirmation-link.ts'
import { NewLinkForm } from './new-link-form.tsx'

type Confirming =
  | { readonly step: 'verifying' | 'done' }
  | { readonly step: 'failed'; readonly message: string; readonly canRetry: boolean }

const signInPath = '/?verified=true#signin'

/** Where a confirmation link leads. Only this page's own request uses the link up, so scanners of mail do not. */
export function ConfirmPage() {
  const { openPassingProvider } = useApi()
  const navigate = useNavigate()
  const [link] = useState(() => readConfirmationLink(location))
  const [attempt, setAttempt] = useState(1)
  const [confirming, setConfirming] = useState<Confirming>(() => beginning(link))
  useReloadOnNewLink()
  useTitle(`${titles[confirming.step]} · ${productName}`)

  useEffect(() => {
    // The link must not lie about in the history of a shared computer.
    history.replaceState(history.state, '', location.pathname)
  }, [])

  useAttempt({
    number: link.kind === 'token' ? attempt : null,
    work: async () => (link.kind === 'token' ? confirmAddress(openPassingProvider, link.tokenHash) : undefined),
    onDone: () => setConfirming({ step: 'done' }),
    onFailed: (error) => setConfirming(failureOf(error)),
  })

  useEffect(() => {
    if (confirming.step !== 'done') return
    const timer = setTimeout(() => void navigate(signInPath, { replace: true }), confirmedRedirectMs)
    return () => clearTimeout(timer)
  }, [confirming, navigate])

  function retry() {
    setConfirming({ step: 'verifying' })
    setAttempt(attempt + 1)
  }

  return (
    <TaskPage>
      <div aria-live="polite" className="grid justify-items-center text-center">
        {confirming.step === 'verifying' ? <Verifying /> : null}
        {confirming.step === 'done' ? <Done /> : null}
        {confirming.step === 'failed' ? <Failed {...confirming} onRetry={retry} /> : null}
      </div>
    </TaskPage>
  )
}

const titles: Record<Confirming['step'], string> = {
  verifying: confirmWords.verifying,
  done: confirmWords.doneTitle,
  failed: confirmWords.failedTitle,
}

function beginning(link: ReturnType<typeof readConfirmationLink>): Confirming {
  if (link.kind === 'token') return { step: 'verifying' }
  const message = link.kind === 'invalid' ? confirmWords.invalidLink : confirmWords.urlError(link.description)
  return { step: 'failed', message, canRetry: false }
}

function failureOf(error: unknown): Confirming {
  const code = authCodeOf(error)
  const message = code === 'otp_expired' ? confirmWords.expired : speak(error, confirmWords.failedTitle)
  return { step: 'failed', message, canRetry: code === null }
}

function Verifying() {
  return (
    <>
      <h1 className="heading text-2xl">{confirmWords.verifying}</h1>
      <p className="mt-2 text-sm text-ink-2">{confirmWords.verifyingMore}</p>
    </>
  )
}

function Done() {
  return (
    <>
      <h1 className="heading text-2xl">{confirmWords.doneTitle}</h1>
      <p className="mt-2 text-sm text-ink-2">{confirmWords.done}</p>
      <Link to={signInPath} replace className={classNames(buttonClass('primary', 'large'), 'mt-5 w-full')}>
        {confirmWords.goNow}
      </Link>
    </>
  )
}

interface FailedProps {
  readonly message: string
  readonly canRetry: boolean
  readonly onRetry: () => void
}

function Failed({ message, canRetry, onRetry }: FailedProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <EmptyGate className="size-24" />
      <h1 className="mt-4 heading text-2xl">{confirmWords.failedTitle}</h1>
      <p className="mt-2 text-sm text-ink-2 wrap-anywhere">{message}</p>
      <Link to="/#signin" className={classNames(buttonClass('primary', 'large'), 'mt-5 w-full')}>
        {confirmWords.toLogin}
      </Link>
      {canRetry ? (
        <Button className="mt-2.5 w-full" onClick={onRetry}>
          {confirmWords.tryAgain}
        </Button>
      ) : null}
      {!canRetry && !isAsking ? (
        <Button variant="quiet" className="mt-2.5 w-full" onClick={() => setAsking(true)}>
          {confirmWords.newLink}
        </Button>
      ) : null}
      {isAsking ? <NewLinkForm /> : null}
    </>
  )
}

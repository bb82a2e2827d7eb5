import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { authErrorCode } from '#/lib/api/auth-errors.ts'
import { messageFor } from '#/strings/errors/message-for.ts'

type LinkState =
  | { readonly step: 'verifying' }
  | { readonly step: 'failed'; readonly message: string; readonly canRetry: boolean }

interface EmailedLinkOptions<Link, Verified> {
  readonly readLink: (url: Location) => Link
  /** The message for a link that cannot be verified, or null. */
  readonly invalidMessage: (link: Link) => string | null
  /** Consumes the link; resolves with the next state of the page. */
  readonly verify: (link: Link) => Promise<Verified>
  /** The message for an expired link. */
  readonly expired: string
  /** The message for any other failure without one of its own. */
  readonly failed: string
}

/** Verifies the link from an email by which the page was opened: exactly once, and once more for each retry. */
export function useEmailedLink<Link, Verified>(options: EmailedLinkOptions<Link, Verified>) {
  const [link] = useState(() => options.readLink(location))
  const [invalid] = useState(() => options.invalidMessage(link))
  const [attempt, setAttempt] = useState(1)
  const [state, setState] = useState<LinkState | Verified>(
    invalid === null ? { step: 'verifying' } : { step: 'failed', message: invalid, canRetry: false },
  )
  const running = useRef<{ readonly attempt: number; readonly result: Promise<Verified> }>(undefined)
  const verify = useEffectEvent(() => options.verify(link))
  const failAttempt = useEffectEvent((error: unknown) => fail(error))

  function fail(error: unknown) {
    const code = authErrorCode(error)
    const message = code === 'otp_expired' ? options.expired : messageFor(error, options.failed)
    setState({ step: 'failed', message, canRetry: code === null })
  }

  /** Shows that the page is verifying until further work has completed. */
  function continueWith(work: Promise<Verified>) {
    setState({ step: 'verifying' })
    work.then(setState, fail)
  }

  function retry() {
    setState({ step: 'verifying' })
    setAttempt(attempt + 1)
  }

  useEffect(() => {
    // Removes the token from the browser history, which may be on a shared computer.
    history.replaceState(history.state, '', location.pathname)
    // Another link differs only in the token in its fragment, so the browser does not reload the page by itself.
    const reload = () => {
      if (location.hash !== '') location.reload()
    }
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])

  useEffect(() => {
    if (invalid !== null) return
    // An effect may run more than once, but the link can be used only once.
    if (running.current?.attempt !== attempt) running.current = { attempt, result: verify() }
    let isCurrent = true
    running.current.result.then(
      (verified) => isCurrent && setState(verified),
      (error: unknown) => isCurrent && failAttempt(error),
    )
    return () => {
      isCurrent = false
    }
  }, [attempt, invalid])

  return { state, setState, continueWith, retry }
}

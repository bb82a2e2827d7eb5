import type { Call } from '@sallyport/client/call'
import { type EmailedLinkStatus, emailedLinks } from '@sallyport/contract/emailed-links'
import { useEffect, useEffectEvent, useState } from 'react'
import { authErrorCode } from '#/lib/api/auth-errors.ts'
import { messageFor } from '#/strings/errors/message-for.ts'

type LinkState =
  | { readonly step: 'verifying' }
  /** The link works; only an action of the user uses it. */
  | { readonly step: 'unused' }
  | { readonly step: 'used' }
  /** `retry` is null for a link that will never work. */
  | { readonly step: 'failed'; readonly message: string; readonly retry: (() => void) | null }

type LinkUrl = Pick<Location, 'search' | 'hash'>

interface EmailedLinkOptions<Link, Verified> {
  readonly readLink: (url: LinkUrl) => Link
  /** The message for a link that cannot be verified, or null. */
  readonly invalidMessage: (link: Link) => string | null
  /** Resolves with `opened` for a link that this tab has used and may continue with. */
  readonly getStatus: (link: Link) => Promise<EmailedLinkStatus | 'opened'>
  /** Consumes the link; resolves with the next state of the page. */
  readonly verify: (link: Link) => Promise<Verified>
  /** The message for an expired link. */
  readonly expired: string
  /** The message for any other failure without one of its own. */
  readonly failed: string
}

/** The codes of links that the provider rejects for good. */
const finalCodes: ReadonlySet<string | null> = new Set(['otp_expired', 'validation_failed', 'user_banned'])

/**
 * Reads the link from an email by which the page was opened, and verifies it when the user says so: mail scanners open
 * links in real browsers, and opening one must not use it. A reload finds the link again.
 */
export function useEmailedLink<Link, Verified>(options: EmailedLinkOptions<Link, Verified>) {
  const [link] = useState(() => options.readLink(readLinkUrl()))
  const [invalid] = useState(() => options.invalidMessage(link))
  const [state, setState] = useState<LinkState | Verified>(
    invalid === null ? { step: 'verifying' } : { step: 'failed', message: invalid, retry: null },
  )

  async function check(): Promise<LinkState | Verified> {
    try {
      const current = options.readLink(readLinkUrl())
      const status = await options.getStatus(current)
      return status === 'opened' ? await options.verify(current) : stateOf(status)
    } catch (error) {
      return failure(error, () => run(check))
    }
  }

  async function consume(): Promise<LinkState | Verified> {
    const current = options.readLink(readLinkUrl())
    try {
      return await options.verify(current)
    } catch (error) {
      if (authErrorCode(error) !== 'otp_expired') return failure(error, () => run(consume))
      // It may have been used in the meantime, also by an attempt whose response was lost.
      const status = await options.getStatus(current).catch(() => 'expired' as const)
      return stateOf(status === 'used' ? 'used' : 'expired')
    }
  }

  const stateOf = (status: EmailedLinkStatus): LinkState =>
    status === 'expired' ? { step: 'failed', message: options.expired, retry: null } : { step: status }

  function failure(error: unknown, retry: () => void): LinkState {
    const code = authErrorCode(error)
    const message = code === 'otp_expired' ? options.expired : messageFor(error, options.failed)
    return { step: 'failed', message, retry: finalCodes.has(code) ? null : retry }
  }

  function run(work: () => Promise<LinkState | Verified>) {
    setState({ step: 'verifying' })
    void work().then(setState)
  }

  /** Shows that the page is verifying until further work has completed. */
  function continueWith(work: () => Promise<Verified>) {
    run(async () => {
      try {
        return await work()
      } catch (error) {
        return failure(error, () => continueWith(work))
      }
    })
  }

  const checkAtStart = useEffectEvent(check)

  useEffect(() => {
    moveLinkToHistoryState()
    // Another link differs only in the token in its fragment, so the browser does not reload the page by itself.
    const reload = () => {
      if (location.hash !== '') location.reload()
    }
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])

  useEffect(() => {
    if (invalid !== null) return
    let isCurrent = true
    void checkAtStart().then((checked) => isCurrent && setState(checked))
    return () => {
      isCurrent = false
    }
  }, [invalid])

  return { link, state, setState, continueWith, consume: () => run(consume) }
}

/** Asks the server whether a link still works, which does not use it. */
export async function fetchLinkStatus(call: Call, token: string): Promise<EmailedLinkStatus> {
  return (await call(emailedLinks.status, { body: { token } })).status
}

/** Removes the token from the URL, which others may read over a shoulder or in the history, but not from the tab. */
function moveLinkToHistoryState(): void {
  history.replaceState({ ...history.state, emailedLink: readLinkUrl() }, '', location.pathname)
}

/** Returns the query and fragment with which the page was opened. */
function readLinkUrl(): LinkUrl {
  const { search, hash } = location
  if (search !== '' || hash !== '') return { search, hash }
  return history.state?.emailedLink ?? { search, hash }
}

/** Forgets a link that has been used, so that a reload does not use it again. */
export function forgetEmailedLink(): void {
  history.replaceState({ ...history.state, emailedLink: undefined }, '', location.pathname)
}

import type { Attempts } from '../../limits/attempts.ts'
import type { Post } from '../../post/post.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import type { IssuedToken } from './one-time-tokens.ts'
import { isChallenged } from './one-time-tokens.ts'

interface Parts {
  readonly post: Post
  /** Where people open the page; no link ever leads elsewhere. */
  readonly publicUrl: URL
  /** The provider's own address. */
  readonly issuer: string
  readonly attempts: Attempts
  readonly settings: ProviderSettings
}

interface Wish {
  readonly to: string
  readonly issued: IssuedToken
  /** As the protocol calls what the link proves. */
  readonly type: string
  /** Where the browser that asked wants to be led back to. */
  readonly redirectTo?: string | undefined
}

/** Writes to people, once a minute at most, whether or not anybody has the address. */
export function createMessages({ post, publicUrl, issuer, attempts, settings }: Parts) {
  const windowSeconds = settings.betweenMessagesMs / 1000

  function linkOf({ to, issued: { token }, type, redirectTo = '' }: Wish): string {
    if (isChallenged(token)) {
      const query = new URLSearchParams({ token, type, redirect_to: ownAddress(redirectTo) })
      return `${issuer}/verify?${query}`
    }
    return pageFor({ token, type, email: to })
  }

  /** The page of ours that uses a link's token up once somebody has really opened it. */
  function pageFor({ token, type, email }: { token: string; type: string; email?: string | undefined }): string {
    const isRecovery = type === 'recovery'
    const page = new URL(isRecovery ? '/set-password' : '/auth/confirm', publicUrl)
    page.searchParams.set(isRecovery ? 'token' : 'token_hash', token)
    page.searchParams.set('type', type)
    if (isRecovery && email !== undefined) page.searchParams.set('email', email)
    return page.href
  }

  /** The address somebody asked to be led to, if it is one of ours; else our own front page. */
  function ownAddress(wanted: string): string {
    const url = URL.canParse(wanted, publicUrl) ? new URL(wanted, publicUrl) : publicUrl
    // An origin says nothing of who is named before the host, and a `blob:` has the origin of what made it.
    const isOwn = url.origin === publicUrl.origin && url.protocol === publicUrl.protocol
    return isOwn && url.username === '' && url.password === '' ? url.href : publicUrl.href
  }

  const text = async (to: string, code: string): Promise<void> => {
    await post.text({ to: `+${to}`, code }).catch((error: unknown) => {
      throw Object.assign(refuseAuth('sms_send_failed'), { cause: error })
    })
  }

  return {
    pageFor,
    ownAddress,
    text,
    /** Counts a message to this address or number, known or not; refused when the last one is too fresh. */
    async hold(relatesTo: string): Promise<void> {
      const verdict = await attempts.allow(`message|${relatesTo}`, { points: 1, windowSeconds })
      if (verdict.allowed) return
      const { retryAfterSeconds } = verdict
      const words = `For security purposes, you can only request this after ${retryAfterSeconds} seconds.`
      const code = relatesTo.includes('@') ? 'over_email_send_rate_limit' : 'over_sms_send_rate_limit'
      throw refuseAuth(code, { text: words, retryAfterSeconds })
    },
    confirmAddress: (wish: Wish) =>
      post.mail({ kind: 'confirm-address', to: wish.to, link: linkOf(wish), code: wish.issued.code }),
    alreadyRegistered: (to: string) => post.mail({ kind: 'already-registered', to, link: publicUrl.href }),
    recover: (wish: Wish) => post.mail({ kind: 'recover', to: wish.to, link: linkOf(wish), code: wish.issued.code }),
    signIn: (wish: Wish) => post.mail({ kind: 'sign-in', to: wish.to, link: linkOf(wish), code: wish.issued.code }),
    changeAddress: (wish: Wish) =>
      post.mail({ kind: 'change-address', to: wish.to, link: linkOf(wish), code: wish.issued.code }),
    reauthenticate: (to: string, code: string) => post.mail({ kind: 'reauthenticate', to, code }),
  }
}

export type Messages = ReturnType<typeof createMessages>

import { rateLimits } from '@sallyport/contract/server-limits'
import type { Attempts } from '../../limits/attempts.ts'
import type { Post } from '../../post/post.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import { enoughMessages } from '../sign-ins/sign-in-attempts.ts'
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

interface MessageRequest {
  /** The signed-in user or the address block that requests the message. */
  readonly requester: string
  /** The mail address or phone number. */
  readonly to: string
  /** What the total is counted by, where it is not the recipient. */
  readonly counted?: string
}

interface Wish {
  readonly to: string
  readonly issued: IssuedToken
  /** As the protocol calls what the link proves. */
  readonly type: string
  /** Where the browser that asked wants to be led back to. */
  readonly redirectTo?: string | undefined
}

/** Writes to people, whether or not anybody has the address. */
export function createMessages({ post, publicUrl, issuer, attempts, settings }: Parts) {
  const windowSeconds = settings.betweenMessagesMs / 1000

  function linkOf({ to, issued: { token }, type, redirectTo = '' }: Wish): string {
    if (isChallenged(token)) {
      const query = new URLSearchParams({ token, type, redirect_to: ownAddress(redirectTo) })
      return `${issuer}/verify?${query}`
    }
    return pageFor({ token, type, email: to })
  }

  /**
   * The page of ours that uses a link's token up once a person has really opened it. The token is in the fragment, which
   * browsers send to no server, so that no access log contains it.
   */
  function pageFor({ token, type, email }: { token: string; type: string; email?: string | undefined }): string {
    const isRecovery = type === 'recovery'
    const page = new URL(isRecovery ? '/set-password' : '/auth/confirm', publicUrl)
    const fragment = new URLSearchParams({ [isRecovery ? 'token' : 'token_hash']: token, type })
    if (isRecovery && email !== undefined) fragment.set('email', email)
    page.hash = fragment.toString()
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
    /**
     * Counts a message to this recipient, known or not; refused when this requester's last one is too recent, or when
     * all requesters together have had too many sent. One requester cannot block another one's message.
     */
    async hold({ requester, to, counted = to }: MessageRequest): Promise<() => Promise<void>> {
      const perRequester = `message-by|${requester}|${counted}`
      const own = await attempts.allow(perRequester, { points: 1, windowSeconds })
      if (!own.allowed) {
        const { retryAfterSeconds } = own
        const text = `For security purposes, you can only request this after ${retryAfterSeconds} seconds.`
        throw refuseAuth(limitCodeOf(to), { text, retryAfterSeconds })
      }
      const perRecipient = `message-to|${counted}`
      const total = await attempts.allow(perRecipient, rateLimits.messagesPerRecipient)
      if (total.allowed) {
        return async () => {
          await attempts.forgive(perRequester)
          await attempts.forgive(perRecipient)
        }
      }
      await attempts.forgive(perRequester)
      const { retryAfterSeconds } = total
      throw refuseAuth(limitCodeOf(to), { text: enoughMessages(retryAfterSeconds), retryAfterSeconds })
    },
    confirmAddress: (wish: Wish) =>
      post.mail({ kind: 'confirm-address', to: wish.to, link: linkOf(wish), code: wish.issued.code }),
    proveAddress: (wish: Wish) => post.mail({ kind: 'prove-address', to: wish.to, link: linkOf(wish) }),
    alreadyRegistered: (to: string) => post.mail({ kind: 'already-registered', to, link: publicUrl.href }),
    recover: (wish: Wish) => post.mail({ kind: 'recover', to: wish.to, link: linkOf(wish), code: wish.issued.code }),
    signIn: (wish: Wish) => post.mail({ kind: 'sign-in', to: wish.to, link: linkOf(wish), code: wish.issued.code }),
    changeAddress: (wish: Wish) =>
      post.mail({ kind: 'change-address', to: wish.to, link: linkOf(wish), code: wish.issued.code }),
    reauthenticate: (to: string, code: string) => post.mail({ kind: 'reauthenticate', to, code }),
  }
}

const limitCodeOf = (to: string) => (to.includes('@') ? 'over_email_send_rate_limit' : 'over_sms_send_rate_limit')

export type Messages = ReturnType<typeof createMessages>

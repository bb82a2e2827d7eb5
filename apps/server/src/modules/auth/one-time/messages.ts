import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { authError } from '../protocol/auth-error.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import { tooManyMessagesText } from '../sign-ins/auth-rate-limits.ts'
import type { IssuedToken } from './one-time-tokens.ts'
import { isPkceToken } from './one-time-tokens.ts'

interface MessagesDeps extends Pick<ServerContext, 'emailService' | 'publicUrl' | 'rateLimiter'> {
  /** The base URL of the provider. */
  readonly issuer: string
  readonly settings: ProviderSettings
}

interface MessageRequest {
  /** The signed-in user or the IP address block that requests the message. */
  readonly requester: string
  /** The email address or phone number. */
  readonly to: string
  /** The key of the quota, where it is not the recipient. */
  readonly quotaKey?: string
}

interface LinkMessageInput {
  readonly to: string
  readonly issued: IssuedToken
  /** The protocol's name of the verification type. */
  readonly type: string
  /** The URL to which the requesting browser wants to be redirected. */
  readonly redirectTo?: string | undefined
}

/** Sends emails and text messages, and limits how many a recipient gets. */
export function createMessages({ emailService, publicUrl, issuer, rateLimiter, settings }: MessagesDeps) {
  const windowSeconds = settings.messageIntervalMs / 1000

  function linkUrl({ to, issued: { token }, type, redirectTo = '' }: LinkMessageInput): string {
    if (isPkceToken(token)) {
      const query = new URLSearchParams({ token, type, redirect_to: sameOriginUrl(redirectTo) })
      return `${issuer}/verify?${query}`
    }
    return pageFor({ token, type, email: to })
  }

  /**
   * Returns the URL of the page that consumes a link's token after a user action. The token is in the fragment, which
   * browsers do not send to servers, so that no access log contains it.
   */
  function pageFor({ token, type, email }: { token: string; type: string; email?: string | undefined }): string {
    const isRecovery = type === 'recovery'
    const page = new URL(isRecovery ? '/set-password' : '/auth/confirm', publicUrl)
    const fragment = new URLSearchParams({ [isRecovery ? 'token' : 'token_hash']: token, type })
    if (isRecovery && email !== undefined) fragment.set('email', email)
    page.hash = fragment.toString()
    return page.href
  }

  /** Returns the requested redirect URL if it has our own origin, and the front page otherwise. */
  function sameOriginUrl(requestedUrl: string): string {
    const url = URL.canParse(requestedUrl, publicUrl) ? new URL(requestedUrl, publicUrl) : publicUrl
    // The origin does not include user info, and a `blob:` URL has the origin of its creator.
    const isOwn = url.origin === publicUrl.origin && url.protocol === publicUrl.protocol
    return isOwn && url.username === '' && url.password === '' ? url.href : publicUrl.href
  }

  const text = async (to: string, code: string): Promise<void> => {
    await emailService.queueText({ to: `+${to}`, code }).catch((error: unknown) => {
      throw Object.assign(authError('sms_send_failed'), { cause: error })
    })
  }

  return {
    pageFor,
    sameOriginUrl,
    text,
    /**
     * Counts a message to a known or unknown recipient. Throws when this requester's last message is too recent, or
     * when all requesters together have sent too many. One requester cannot block the message of another one.
     */
    async reserve({ requester, to, quotaKey = to }: MessageRequest): Promise<() => Promise<void>> {
      const perRequester = `message-by|${requester}|${quotaKey}`
      const requesterQuota = await rateLimiter.allow(perRequester, { points: 1, windowSeconds })
      if (!requesterQuota.allowed) {
        const { retryAfterSeconds } = requesterQuota
        const text = `For security purposes, you can only request this after ${retryAfterSeconds} seconds.`
        throw authError(limitCodeOf(to), { text, retryAfterSeconds })
      }
      const perRecipient = `message-to|${quotaKey}`
      const recipientQuota = await rateLimiter.allow(perRecipient, rateLimits.messagesPerRecipient)
      if (recipientQuota.allowed) {
        return async () => {
          await rateLimiter.refund(perRequester)
          await rateLimiter.refund(perRecipient)
        }
      }
      await rateLimiter.refund(perRequester)
      const { retryAfterSeconds } = recipientQuota
      throw authError(limitCodeOf(to), { text: tooManyMessagesText(retryAfterSeconds), retryAfterSeconds })
    },
    confirmEmail: (input: LinkMessageInput) =>
      emailService.queueEmail({ kind: 'confirm-address', to: input.to, link: linkUrl(input), code: input.issued.code }),
    verifyEmail: (input: LinkMessageInput) =>
      emailService.queueEmail({ kind: 'prove-address', to: input.to, link: linkUrl(input) }),
    alreadyRegistered: (to: string) =>
      emailService.queueEmail({ kind: 'already-registered', to, link: publicUrl.href }),
    recover: (input: LinkMessageInput) =>
      emailService.queueEmail({ kind: 'recover', to: input.to, link: linkUrl(input), code: input.issued.code }),
    signIn: (input: LinkMessageInput) =>
      emailService.queueEmail({ kind: 'sign-in', to: input.to, link: linkUrl(input), code: input.issued.code }),
    changeEmail: (input: LinkMessageInput) =>
      emailService.queueEmail({ kind: 'change-address', to: input.to, link: linkUrl(input), code: input.issued.code }),
    reauthenticate: (to: string, code: string) => emailService.queueEmail({ kind: 'reauthenticate', to, code }),
  }
}

const limitCodeOf = (to: string) => (to.includes('@') ? 'over_email_send_rate_limit' : 'over_sms_send_rate_limit')

export type Messages = ReturnType<typeof createMessages>

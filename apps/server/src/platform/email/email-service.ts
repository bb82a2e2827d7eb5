/** All emails that the server sends. Links are absolute URLs; codes are typed by the user. */
export type EmailTemplate = { readonly to: string } & (
  | { readonly kind: 'confirm-address'; readonly link: string; readonly code?: string }
  | { readonly kind: 'prove-address'; readonly link: string }
  | { readonly kind: 'already-registered'; readonly link: string }
  | { readonly kind: 'recover'; readonly link: string; readonly code?: string }
  | { readonly kind: 'sign-in'; readonly link: string; readonly code: string }
  | { readonly kind: 'change-address'; readonly link: string; readonly code: string }
  | { readonly kind: 'reauthenticate'; readonly code: string }
  | SecurityNoticeFields
  /** `licence` describes the offer in words: `Personal licence with 50 GB`. */
  | { readonly kind: 'invitation'; readonly link: string; readonly licence: string }
  | OrganizationInvitationFields
)

interface OrganizationInvitationFields {
  readonly kind: 'organization-invitation'
  readonly link: string
  /** The name of the organization, which its owner has chosen. */
  readonly organization: string
  readonly role: 'admin' | 'member'
  /** Who invites, by email address or phone number. */
  readonly inviter: string
}

/** Security-relevant changes to an account, and signs of an attack on it, that its owner is notified of by email. */
export type SecurityEvent =
  | 'two-factor-added'
  | 'two-factor-removed'
  | 'backup-codes-replaced'
  | 'recovery-key-created'
  | 'recovery-key-removed'
  | 'account-key-changed'
  | 'account-key-restored'
  | 'password-changed'
  | 'address-changed'
  | 'phone-changed'
  | 'password-set-by-admin'
  | 'account-deleted'
  | 'wrong-passwords'
  | 'wrong-codes'
  | 'mail-codes-blocked'

interface SecurityNoticeFields {
  readonly kind: SecurityEvent
  /** When it happened (epoch ms). */
  readonly at?: number
}
export type SecurityNoticeTemplate = Extract<EmailTemplate, SecurityNoticeFields>

/** A text message with a code to a phone number in E.164 format. */
export interface CodeMessage {
  readonly to: string
  readonly code: string
}

/** Queues emails and text messages. Once the promise resolves, a message survives restarts and outages. */
export interface EmailService {
  queueEmail(email: EmailTemplate): Promise<void>
  queueText(message: CodeMessage): Promise<void>
}

/** Everything the server writes to people by mail. Links are whole addresses; codes are for typing. */
export type Letter = { readonly to: string } & (
  | { readonly kind: 'confirm-address'; readonly link: string; readonly code?: string }
  | { readonly kind: 'prove-address'; readonly link: string }
  | { readonly kind: 'already-registered'; readonly link: string }
  | { readonly kind: 'recover'; readonly link: string; readonly code?: string }
  | { readonly kind: 'sign-in'; readonly link: string; readonly code: string }
  | { readonly kind: 'change-address'; readonly link: string; readonly code: string }
  | { readonly kind: 'reauthenticate'; readonly code: string }
  | SecurityLetterContent
  /** What the link gives is said in words: `Personal licence with 50 GB`. */
  | { readonly kind: 'invitation'; readonly link: string; readonly licence: string }
)

/** Changes to the protection of an account, and signs of an attack on it, that its owner gets a mail about. */
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
  | 'wrong-passwords'
  | 'wrong-codes'
  | 'mail-codes-blocked'

interface SecurityLetterContent {
  readonly kind: SecurityEvent
  /** When it happened (epoch ms). */
  readonly at?: number
}
export type SecurityLetter = Extract<Letter, SecurityLetterContent>

/** A text message that carries a code to a telephone number in E.164 form. */
export interface CodeMessage {
  readonly to: string
  readonly code: string
}

/** Takes letters and messages for delivery: once a promise is kept, a restart or an outage no longer loses them. */
export interface Post {
  mail(letter: Letter): Promise<void>
  text(message: CodeMessage): Promise<void>
}

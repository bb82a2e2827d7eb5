/** The content of an email before it is rendered as plain text and HTML. */
export interface EmailContent {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button?: { readonly label: string; readonly link: string }
  readonly code?: string | undefined
  /** Small print at the end. */
  readonly closing: string
}

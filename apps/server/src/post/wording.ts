/** What a letter says, before it is set as plain text or as HTML. */
export interface Wording {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button?: { readonly label: string; readonly link: string }
  readonly code?: string
  /** Small print at the end. */
  readonly closing: string
}

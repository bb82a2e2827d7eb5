/** A message as it is kept, whoever may open it. */
export interface ListedMessage {
  readonly id: string
  readonly encryptedContent: string
  readonly encryptedKey: string
  /** Epoch milliseconds, like the next. */
  readonly createdAt: number
  readonly expiresAt: number
}

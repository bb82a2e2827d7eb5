/** A message as the server stores it. */
export interface ListedMessage {
  readonly id: string
  readonly encryptedContent: string
  readonly encryptedKey: string
  /** Epoch milliseconds, like `expiresAt`. */
  readonly createdAt: number
  readonly expiresAt: number
}

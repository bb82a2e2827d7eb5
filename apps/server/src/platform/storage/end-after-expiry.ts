import type { Readable } from 'node:stream'
import { downloadLimits } from '@sallyport/contract/server-limits'
import { apiError } from '../../errors.ts'

/** Destroys a stream shortly after the file that it carries has expired, unless the lifetime was extended meanwhile. */
export type EndAfterExpiry = (stream: Readable, file: { readonly id: string; readonly expiresAt: number }) => void

interface EndAfterExpiryDeps {
  readonly now: () => number
  /** Resolves to null for a deleted file. */
  readonly findExpiry: (fileId: string) => Promise<number | null>
}

export const createEndAfterExpiry =
  ({ now, findExpiry }: EndAfterExpiryDeps): EndAfterExpiry =>
  (stream, { id, expiresAt }) => {
    let endsAt = expiresAt + downloadLimits.afterExpiryMs

    async function endIfExpired(): Promise<void> {
      if (now() < endsAt) return
      endsAt = ((await findExpiry(id)) ?? 0) + downloadLimits.afterExpiryMs
      if (now() >= endsAt) throw apiError('FILE_NOT_FOUND')
    }

    // An interval follows a server whose clock is set, which one long timer would not.
    const timer = setInterval(
      () => void endIfExpired().catch((error: Error) => stream.destroy(error)),
      downloadLimits.checkExpiryEveryMs,
    ).unref()
    stream.once('close', () => clearInterval(timer))
  }

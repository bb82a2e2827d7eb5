import type { Root } from '@sallyport/crypto'
import type { Call } from '../call.ts'
import type { KeptUpload } from './journal.ts'
import { type KeptFile, reopenKept } from './reopen-upload.ts'
import { askStanding } from './stored-chunks.ts'

/** A kept upload that is neither done nor refused. */
export interface Unfinished extends KeptFile {
  /** Plain bytes that the server has. */
  readonly storedBytes: number
}

interface Look {
  readonly kept: KeptUpload
  readonly accountKey: Root
  readonly call: Call
  readonly signal: AbortSignal
}

/**
 * What has become of an upload from an earlier visit, in the server's words; null once it is done. Throws a
 * `CryptoError` for one that this account did not begin.
 */
export async function lookAtKept({ kept, accountKey, call, signal }: Look): Promise<Unfinished | null> {
  const { upload, file } = await reopenKept(kept, accountKey)
  const standing = await askStanding({ call, upload, signal })
  if (standing.state === 'finished') return null
  const bytesOf = (index: number) => upload.plan.chunk(index).end - upload.plan.chunk(index).start
  return { ...file, storedBytes: [...standing.stored].reduce((bytes, index) => bytes + bytesOf(index), 0) }
}

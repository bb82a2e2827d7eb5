import type { Call } from '@sallyport/client/call'
import { files } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { uploadLimits } from '@sallyport/contract/limits'
import type { OpenUpload } from '@sallyport/contract/upload-shapes'
import { decryptFileName, type FindRootKey } from '../../engine/file-name.ts'
import { readUploads } from './upload-store.ts'

/** An open upload of the account that this browser does not know: another device or client has started it. */
export interface UploadElsewhere {
  readonly id: string
  /** Null where it cannot be decrypted. */
  readonly name: string | null
  /** Plain bytes. */
  readonly size: number
  /** Plain bytes that the server has received, at most `size`. */
  readonly receivedBytes: number
}

/** The open uploads of other devices, which count towards the limits of the account. */
export interface UploadsElsewhere {
  readonly list: () => Promise<readonly UploadElsewhere[]>
  /** Cancels uploads on the server. */
  readonly discard: (ids: readonly string[]) => Promise<void>
}

interface UploadsElsewhereDeps {
  readonly call: Call
  readonly findRootKey: FindRootKey
}

export function createUploadsElsewhere({ call, findRootKey }: UploadsElsewhereDeps): UploadsElsewhere {
  const describe = async (upload: OpenUpload): Promise<UploadElsewhere> => ({
    id: upload.uploadId,
    name: await decryptFileName(upload, findRootKey),
    size: upload.size,
    receivedBytes: countReceivedBytes(upload),
  })

  return {
    async list() {
      const { uploads } = await call(files.openUploads, {})
      const persisted = await readUploads().catch((error) => ignore(error, 'nothing is persisted here') ?? [])
      const envelopes = new Set(persisted.map(({ envelope }) => envelope))
      // A small file that is being sent has received nothing yet. It is listed only where it is in the way.
      const isFull = uploads.length >= uploadLimits.openPerAccount
      const elsewhere = uploads.filter(
        ({ encryptedFileKey, received }) => !envelopes.has(encryptedFileKey) && (isFull || received.length > 0),
      )
      return Promise.all(elsewhere.slice(0, uploadLimits.openPerAccount).map(describe))
    },
    async discard(ids) {
      await Promise.all(ids.map((uploadId) => call(files.cancelUpload, { params: { uploadId } })))
    },
  }
}

function countReceivedBytes({ received, chunkSize, size }: OpenUpload): number {
  const chunkCount = received.reduce((count, [first, last]) => count + Math.max(0, last - first + 1), 0)
  return Math.min(size, chunkCount * chunkSize)
}

import { createHash, randomBytes } from 'node:crypto'
import { files } from '@sallyport/contract/files'
import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  sealedSizeOf,
  sealName,
  smallestRecordBytes,
  wrapFileKey,
} from '@sallyport/crypto'
import type { Account } from './account.ts'

/** An upload in the hands of somebody who sends it piece by piece. The bytes are noise: no server can tell. */
export interface SealedUpload {
  readonly uploadId: string
  readonly chunks: readonly Buffer[]
  /** Of all chunks in order, in hexadecimal. */
  readonly sha256: string
  /** Sends one chunk, and throws unless the server says that it has it. */
  send(url: string, index: number): Promise<void>
  /** Makes a file of what was sent and gives its id. */
  complete(url: string): Promise<string>
  /** Indexes of the chunks the server lacks; null when it does not know the upload as an open one. */
  missing(url: string): Promise<number[] | null>
}

export async function prepareSealedUpload(account: Account, chunkCount: number): Promise<SealedUpload> {
  const plainBytes = (chunkCount - 1) * smallestRecordBytes + 1000
  const header = createFileHeader({ kind: 'personal', plainBytes, recordBytes: smallestRecordBytes })
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  const fileName = await sealName({ name: 'noise.bin', mimeType: '', lastModified: 0 }, keys)
  const encryptedFileKey = await wrapFileKey({ fileKey, keys, root: account.accountKey, wrapType: 'account' })
  const chunks = Array.from({ length: chunkCount }, (_, index) => {
    const bytes = Math.min(smallestRecordBytes, plainBytes - index * smallestRecordBytes)
    return randomBytes(sealedSizeOf(bytes, smallestRecordBytes))
  })
  const uploadId = randomBytes(16).toString('base64url')
  const authorization = `Bearer ${account.accessToken}`

  return {
    uploadId,
    chunks,
    sha256: createHash('sha256').update(Buffer.concat(chunks)).digest('hex'),
    async send(url, index) {
      const headers = {
        authorization,
        'content-type': 'application/octet-stream',
        'x-upload-id': uploadId,
        'x-chunk-index': String(index),
        'x-chunk-size': String(smallestRecordBytes),
        'x-file-name': fileName,
        'x-encrypted-file-key': encryptedFileKey,
        'x-file-expiration-minutes': '10080',
      }
      await ask(url + files.uploadChunk.path, { method: 'POST', headers, body: new Uint8Array(chunks[index] ?? []) })
    },
    async complete(url) {
      const body = { uploadId, fileName, encryptedFileKey, totalChunks: chunkCount, chunkSize: smallestRecordBytes }
      const headers = { authorization, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await ask(url + files.completeUpload.path, init)
      return ((await answer.json()) as { fileId: string }).fileId
    },
    async missing(url) {
      const answer = await fetch(`${url}/api/uploads/${uploadId}`, { headers: { authorization } })
      if (answer.status === 404) return null
      const { received } = (await answer.json()) as { received: [number, number][] }
      return [...chunks.keys()].filter((index) => !received.some(([first, last]) => first <= index && index <= last))
    },
  }
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init)
  if (!answer.ok) throw new Refused(answer.status, await answer.text())
  return answer
}

/** The server has answered, and said no. */
export class Refused extends Error {
  constructor(status: number, body: string) {
    super(`${status}: ${body}`)
  }
}

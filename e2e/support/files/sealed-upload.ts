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
import type { Account } from '../account/account.ts'

/** An upload that a test sends chunk by chunk. The bytes are random, which a server cannot tell from ciphertext. */
export interface SealedUpload {
  readonly chunks: readonly Buffer[]
  /** Of all chunks in order, in hexadecimal. */
  readonly sha256: string
  /** Sends one chunk and throws unless the server acknowledges it. */
  send(url: string, index: number): Promise<void>
  /** URL and headers of the request for one chunk. */
  requestFor(url: string, index: number): { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  /** Completes the upload and resolves with the id of the file. */
  complete(url: string): Promise<string>
  /** Indexes of the chunks that the server lacks; null if it has no such open upload. */
  missingChunks(url: string): Promise<number[] | null>
}

/** The server answered with an error status. */
export class ApiError extends Error {
  constructor(status: number, body: string) {
    super(`${status}: ${body}`)
  }
}

/** Prepares a file of `chunkCount` chunks, the last of which is short. */
export async function prepareSealedUpload(account: Account, chunkCount: number): Promise<SealedUpload> {
  const plainBytes = (chunkCount - 1) * smallestRecordBytes + 1000
  const requests = await createUploadRequests(account, plainBytes)
  const chunks = Array.from({ length: chunkCount }, (_, index) => randomChunk(plainBytes, index))

  return {
    chunks,
    sha256: createHash('sha256').update(Buffer.concat(chunks)).digest('hex'),
    send: (url, index) => requests.send(url, index, chunks[index] ?? Buffer.alloc(0)),
    requestFor: (url, index) => ({ url: url + files.uploadChunk.path, headers: requests.headersOf(index) }),
    async complete(url) {
      const { uploadId, fileName, encryptedFileKey, authorization } = requests
      const body = { uploadId, fileName, encryptedFileKey, totalChunks: chunkCount, chunkSize: smallestRecordBytes }
      const headers = { authorization, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await request(url + files.completeUpload.path, init)
      return ((await response.json()) as { fileId: string }).fileId
    },
    async missingChunks(url) {
      const { uploadId, authorization } = requests
      const response = await fetch(`${url}/api/uploads/${uploadId}`, { headers: { authorization } })
      if (response.status === 404) return null
      const { received } = (await response.json()) as { received: [number, number][] }
      return [...chunks.keys()].filter((index) => !received.some(([first, last]) => first <= index && index <= last))
    },
  }
}

/** Starts an upload of this size, for which the server reserves storage. */
export async function reserveStorage(url: string, account: Account, plainBytes: number): Promise<void> {
  const requests = await createUploadRequests(account, plainBytes)
  await requests.send(url, 0, randomChunk(plainBytes, 0))
}

/** Creates what all requests of an upload have in common. */
async function createUploadRequests(account: Account, plainBytes: number) {
  const header = createFileHeader({ kind: 'personal', plainBytes, recordBytes: smallestRecordBytes })
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  const fileName = await sealName({ name: 'noise.bin', mimeType: '', lastModified: 0 }, keys)
  const encryptedFileKey = await wrapFileKey({ fileKey, keys, root: account.accountKey, wrapType: 'account' })
  const uploadId = randomBytes(16).toString('base64url')
  const authorization = `Bearer ${account.accessToken}`

  const headersOf = (index: number) => ({
    authorization,
    'content-type': 'application/octet-stream',
    'x-upload-id': uploadId,
    'x-chunk-index': String(index),
    'x-chunk-size': String(smallestRecordBytes),
    'x-file-name': fileName,
    'x-encrypted-file-key': encryptedFileKey,
    'x-file-expiration-minutes': '10080',
  })

  async function send(url: string, index: number, bytes: Buffer): Promise<void> {
    const init = { method: 'POST', headers: headersOf(index), body: new Uint8Array(bytes) }
    await request(url + files.uploadChunk.path, init)
  }
  return { uploadId, fileName, encryptedFileKey, authorization, headersOf, send }
}

/** Random bytes of the size of a sealed chunk. */
function randomChunk(plainBytes: number, index: number): Buffer {
  const bytes = Math.min(smallestRecordBytes, plainBytes - index * smallestRecordBytes)
  return randomBytes(sealedSizeOf(bytes, smallestRecordBytes))
}

async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (!response.ok) throw new ApiError(response.status, await response.text())
  return response
}

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
  readonly chunks: readonly Buffer[]
  /** Of all chunks in order, in hexadecimal. */
  readonly sha256: string
  /** Sends one chunk, and throws unless the server says that it has it. */
  send(url: string, index: number): Promise<void>
  /** Where one chunk goes and what stands before its bytes. */
  requestFor(url: string, index: number): { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  /** Makes a file of what was sent and gives its id. */
  complete(url: string): Promise<string>
  /** Indexes of the chunks the server lacks; null when it does not know the upload as an open one. */
  missing(url: string): Promise<number[] | null>
}

/** The server has answered, and said no. */
export class Refused extends Error {
  constructor(status: number, body: string) {
    super(`${status}: ${body}`)
  }
}

/** A file of so many chunks, the last of which is short. */
export async function prepareSealedUpload(account: Account, chunkCount: number): Promise<SealedUpload> {
  const plainBytes = (chunkCount - 1) * smallestRecordBytes + 1000
  const announced = await announce(account, plainBytes)
  const chunks = Array.from({ length: chunkCount }, (_, index) => noiseFor(plainBytes, index))

  return {
    chunks,
    sha256: createHash('sha256').update(Buffer.concat(chunks)).digest('hex'),
    send: (url, index) => announced.send(url, index, chunks[index] ?? Buffer.alloc(0)),
    requestFor: (url, index) => ({ url: url + files.uploadChunk.path, headers: announced.headersOf(index) }),
    async complete(url) {
      const { uploadId, fileName, encryptedFileKey, authorization } = announced
      const body = { uploadId, fileName, encryptedFileKey, totalChunks: chunkCount, chunkSize: smallestRecordBytes }
      const headers = { authorization, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await ask(url + files.completeUpload.path, init)
      return ((await answer.json()) as { fileId: string }).fileId
    },
    async missing(url) {
      const { uploadId, authorization } = announced
      const answer = await fetch(`${url}/api/uploads/${uploadId}`, { headers: { authorization } })
      if (answer.status === 404) return null
      const { received } = (await answer.json()) as { received: [number, number][] }
      return [...chunks.keys()].filter((index) => !received.some(([first, last]) => first <= index && index <= last))
    },
  }
}

/** Begins an upload that will need so many bytes, which the server keeps free for it. */
export async function reserveStorage(url: string, account: Account, plainBytes: number): Promise<void> {
  const announced = await announce(account, plainBytes)
  await announced.send(url, 0, noiseFor(plainBytes, 0))
}

/** What stays the same in all requests of an upload. */
async function announce(account: Account, plainBytes: number) {
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
    await ask(url + files.uploadChunk.path, init)
  }
  return { uploadId, fileName, encryptedFileKey, authorization, headersOf, send }
}

/** As many random bytes as a sealed chunk of that file has. */
function noiseFor(plainBytes: number, index: number): Buffer {
  const bytes = Math.min(smallestRecordBytes, plainBytes - index * smallestRecordBytes)
  return randomBytes(sealedSizeOf(bytes, smallestRecordBytes))
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init)
  if (!answer.ok) throw new Refused(answer.status, await answer.text())
  return answer
}

import { createHash } from 'node:crypto'
import { files, type SealedManifest } from '@sallyport/contract/files'
import { recordOverheadBytes, sealedSizeOf } from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'
import { centralDirectory, dataDescriptor, localHeader } from '@sallyport/zip/write'

/** A request that the server received. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Uint8Array
  readonly signal: AbortSignal | null
}

/**
 * A fault to inject into a request. A `Response` replaces the real one. `cut` breaks the connection before the server
 * has processed the request, `lost` after it; `hang` and `stuck` let it hang before and after. A promise delays the
 * response. `breakAfter` and `endAfter` truncate the response body with and without an error. Undefined does nothing.
 */
export type Fault = (
  request: RecordedRequest,
  count: number,
) =>
  | Response
  | 'cut'
  | 'lost'
  | 'hang'
  | 'stuck'
  | Promise<void>
  | { readonly breakAfter: number }
  | { readonly endAfter: number }
  | undefined

interface StoredFile {
  readonly id: string
  readonly name: string
  readonly envelope: string
  readonly bytes: Uint8Array
}

interface OpenUpload {
  readonly chunkBytes: number
  readonly name: string
  readonly envelope: string
  readonly chunks: Map<number, Uint8Array>
  fileId?: string
}

const errorResponse = (status: number, code: string, error: string, details?: object) =>
  Response.json({ success: false, error, code, ...(details && { details }) }, { status })

/** An in-memory file server behind `fetch`, complete enough for the transfer engines. */
export function createFileServer(fault: Fault = () => undefined) {
  const requests: RecordedRequest[] = []
  const stored = new Map<string, StoredFile>()
  const uploads = new Map<string, OpenUpload>()
  const shares = new Map<string, { readonly fileId: string; readonly envelope: string; readonly proof: string }>()
  const tokens = new Set(['token'])

  const newId = () => `00000000-0000-4000-8000-${String(stored.size + 1).padStart(12, '0')}`

  function store(name: string, envelope: string, bytes: Uint8Array): string {
    const id = newId()
    stored.set(id, { id, name, envelope, bytes })
    return id
  }

  function uploadChunk({ headers, body }: RecordedRequest): Response {
    const id = headers.get('x-upload-id') ?? ''
    const index = Number(headers.get('x-chunk-index'))
    const upload = uploads.get(id) ?? {
      chunkBytes: Number(headers.get('x-chunk-size')),
      name: headers.get('x-file-name') ?? '',
      envelope: headers.get('x-encrypted-file-key') ?? '',
      chunks: new Map<number, Uint8Array>(),
    }
    uploads.set(id, upload)
    const { header } = parseEnvelope(upload.envelope)
    const plain = Math.min(upload.chunkBytes, header.plainBytes - index * upload.chunkBytes)
    if (body.length !== sealedSizeOf(plain, header.recordBytes))
      return errorResponse(400, 'CHUNK_LENGTH_WRONG', 'The chunk has the wrong length')
    upload.chunks.set(index, body)
    return Response.json({ success: true, chunkIndex: index, message: '' })
  }

  function complete({ body }: RecordedRequest): Response {
    const { uploadId, totalChunks } = JSON.parse(new TextDecoder().decode(body))
    const upload = uploads.get(uploadId)
    if (!upload) return errorResponse(404, 'UPLOAD_NOT_FOUND', 'Upload not found')
    const missing = Array.from({ length: totalChunks }, (_, index) => index).filter(
      (index) => !upload.chunks.has(index),
    )
    if (missing.length > 0) {
      const text = `Upload integrity check failed: Missing chunks [${missing.join(', ')}]`
      return errorResponse(400, 'UPLOAD_INCOMPLETE', text, { missing })
    }
    const sorted = [...upload.chunks].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)
    upload.fileId ??= store(upload.name, upload.envelope, Buffer.concat(sorted))
    return Response.json({ success: true, fileId: upload.fileId, message: 'Done' })
  }

  function cancel({ path }: RecordedRequest): Response {
    const id = path.split('/').at(-1) ?? ''
    const upload = uploads.get(id)
    if (!upload) return errorResponse(404, 'UPLOAD_NOT_FOUND', 'Upload not found')
    if (upload.fileId) return errorResponse(409, 'UPLOAD_FINISHED', 'This upload is already complete')
    uploads.delete(id)
    return Response.json({ success: true })
  }

  function uploadStatus({ path }: RecordedRequest): Response {
    const id = path.split('/').at(-1) ?? ''
    const upload = uploads.get(id)
    if (!upload || upload.fileId) return errorResponse(404, 'UPLOAD_NOT_FOUND', 'Upload not found')
    const { header } = parseEnvelope(upload.envelope)
    return Response.json({
      success: true,
      uploadId: id,
      originalName: upload.name,
      encryptedFileKey: upload.envelope,
      size: header.plainBytes,
      chunkSize: upload.chunkBytes,
      totalChunks: Math.ceil(header.plainBytes / upload.chunkBytes),
      received: [...upload.chunks.keys()].sort((a, b) => a - b).map((index) => [index, index]),
      expiresAt: 1,
    })
  }

  const list = (): Response => Response.json({ success: true, files: listed() })

  function manifest(): SealedManifest {
    const entries = listed().map((file) => {
      const { bytes, envelope } = stored.get(file.id) as StoredFile
      const chunkSize = parseEnvelope(envelope).header.recordBytes
      return { ...file, entry: `${file.id}.ef1`, sealedSize: bytes.length, chunkSize }
    })
    return { version: 1, files: entries }
  }

  function archive(sealedManifest: SealedManifest = manifest()): Response {
    const { files: entries } = sealedManifest
    const text = Buffer.from(JSON.stringify(sealedManifest))
    const contents = [text, ...entries.map(({ id }) => stored.get(id)?.bytes ?? new Uint8Array())]
    const parts = contents.flatMap((content, at) => {
      const name = entries[at - 1]?.entry ?? 'manifest.json'
      const entry = { name, bytes: content.length, modifiedAt: 0, hasDescriptor: at > 0 }
      return [localHeader(entry), content, ...(at > 0 ? [dataDescriptor(entry, 0)] : [])]
    })
    return new Response(Buffer.concat([...parts, centralDirectory([], 0)]))
  }

  function listed() {
    return [...stored.values()].map(({ id, name, envelope, bytes }) => ({
      id,
      originalName: name,
      size: bytes.length - recordOverheadBytes,
      createdAt: 0,
      expiresAt: 1,
      encryptedFileKey: envelope,
      downloads: 0,
      shared: false,
    }))
  }

  function uploadWhole({ headers, body }: RecordedRequest): Response {
    const id = store(headers.get('x-file-name') ?? '', headers.get('x-encrypted-file-key') ?? '', body)
    return Response.json({ success: true, id, fileId: id, message: '' })
  }

  function download(file: StoredFile, { headers }: RecordedRequest): Response {
    const { header } = parseEnvelope(file.envelope)
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.get('range') ?? '')
    const from = Number(range?.[1] ?? 0)
    const bytes = file.bytes.slice(from, range?.[2] ? Number(range[2]) + 1 : undefined)
    return new Response(bytes, {
      status: range ? 206 : 200,
      headers: { 'X-Chunk-Size': String(header.recordBytes), 'Content-Length': String(bytes.length) },
    })
  }

  function share({ path, body }: RecordedRequest): Response {
    const fileId = path.split('/')[3] ?? ''
    const { shareEncryptedFileKey, shareProof } = JSON.parse(new TextDecoder().decode(body))
    shares.set(shareTokenFor(fileId), { fileId, envelope: shareEncryptedFileKey, proof: shareProof })
    return Response.json({ ...freshShare, shareUrl: `/s/${shareTokenFor(fileId)}` })
  }

  function sharedFile(request: RecordedRequest): Response {
    const found = shares.get(decodeURIComponent(request.path.split('/').at(-1) ?? ''))
    const file = stored.get(found?.fileId ?? '')
    if (!found || !file) return errorResponse(404, 'SHARE_NOT_FOUND', 'File not found or expired')
    const isHead = request.method === 'HEAD'
    if (!isHead && request.headers.get('x-share-proof') !== found.proof) {
      return errorResponse(403, 'SHARE_PROOF_REQUIRED', 'This share link is incomplete. Ask for the whole link.')
    }
    const response = download(file, request)
    response.headers.set('X-Share-Encrypted-File-Key', found.envelope)
    response.headers.set('X-Expires-At', '1800000000000')
    response.headers.set('Content-Disposition', `attachment; filename="${file.name}"`)
    return isHead ? new Response(null, { headers: response.headers }) : response
  }

  function answer(request: RecordedRequest): Response {
    const { method, path, headers } = request
    if (path.startsWith('/api/share/')) return sharedFile(request)
    const token = headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (!tokens.has(token))
      return errorResponse(401, 'SESSION_EXPIRED', 'Your session has expired. Please log in again.')
    if (path === files.upload.path) return uploadWhole(request)
    if (path === files.uploadChunk.path) return uploadChunk(request)
    if (path === files.completeUpload.path) return complete(request)
    if (path.startsWith('/api/uploads/')) return method === 'DELETE' ? cancel(request) : uploadStatus(request)
    if (path === files.list.path) return list()
    if (path === files.downloadAll.path) return archive()
    const file = stored.get(path.split('/')[3] ?? '')
    if (!file) return errorResponse(404, 'FILE_NOT_FOUND', 'File not found')
    if (path.endsWith('/share-zk')) return share(request)
    if (path.endsWith('/share')) {
      const token = shareTokenFor(file.id)
      if (!shares.has(token)) return errorResponse(404, 'NOT_SHARED', 'This file is not shared')
      return Response.json({ ...freshShare, shareUrl: `/s/${token}` })
    }
    if (path.endsWith('/key')) return Response.json({ success: true, encryptedFileKey: file.envelope })
    if (method === 'DELETE') {
      stored.delete(file.id)
      return Response.json({ success: true })
    }
    return download(file, request)
  }

  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request: RecordedRequest = {
      method: init.method ?? 'GET',
      path: new URL(String(input), 'http://server.test').pathname,
      headers: new Headers(init.headers),
      body: new Uint8Array(await new Response(init.body ?? null).arrayBuffer()),
      signal: init.signal ?? null,
    }
    init.signal?.throwIfAborted()
    requests.push(request)
    const injected = fault(request, requests.filter(({ path }) => path === request.path).length)
    if (injected === 'cut') throw new TypeError('fetch failed')
    if (injected === 'hang') await aborted(init.signal)
    if (injected instanceof Promise) await Promise.race([injected, aborted(init.signal)])
    if (injected instanceof Response) return injected
    const response = answer(request)
    if (injected === 'lost') throw new TypeError('fetch failed')
    if (injected === 'stuck') await aborted(init.signal)
    if (typeof injected !== 'object' || injected instanceof Promise) return response
    return cutBody(response, injected)
  }

  return { fetch, requests, stored, uploads, shares, tokens, store, manifest, archive }
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

/** A deterministic token in the server's format. */
export const shareTokenFor = (fileId: string): string =>
  createHash('sha256').update(fileId).digest('base64url').slice(0, 22)

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function cutBody(response: Response, cut: { breakAfter: number } | { endAfter: number }): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.slice(0, 'breakAfter' in cut ? cut.breakAfter : cut.endAfter))
      // Gives the reader time to consume the bytes before the error.
      await new Promise((resolve) => setTimeout(resolve, 20))
      if ('breakAfter' in cut) controller.error(new TypeError('network error'))
      else controller.close()
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

const freshShare = { success: true, downloads: 0, lastDownloadAt: null, maxDownloads: null, label: null } as const

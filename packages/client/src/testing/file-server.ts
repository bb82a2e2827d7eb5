import { createHash } from 'node:crypto'
import { files, type SealedManifest } from '@sallyport/contract/files'
import { recordOverheadBytes, sealedSizeOf } from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'
import { dataDescriptor, directory, localHeader } from '@sallyport/zip/write'

/** A request as the server saw it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Uint8Array
  readonly signal: AbortSignal | null
}

/**
 * What goes wrong: another answer in place of the real one; `cut`, a connection that breaks before the server has read
 * the request, and `lost`, one that breaks after it; `hang` and `stuck`, the same for one that goes silent; a promise
 * holds the answer up; `breakAfter` and `endAfter` cut the body of the answer there, with and without an error;
 * undefined is for nothing.
 */
export type Fault = (
  seen: Seen,
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

const refusal = (status: number, code: string, error: string, details?: object) =>
  Response.json({ success: false, error, code, ...(details && { details }) }, { status })

/** Enough of the real server, in memory and behind `fetch`, to let the engines run to their end. */
export function createFileServer(fault: Fault = () => undefined) {
  const seen: Seen[] = []
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

  function uploadChunk({ headers, body }: Seen): Response {
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
      return refusal(400, 'CHUNK_LENGTH_WRONG', 'The chunk has not its length')
    upload.chunks.set(index, body)
    return Response.json({ success: true, chunkIndex: index, message: '' })
  }

  function complete({ body }: Seen): Response {
    const { uploadId, totalChunks } = JSON.parse(new TextDecoder().decode(body))
    const upload = uploads.get(uploadId)
    if (!upload) return refusal(404, 'UPLOAD_NOT_FOUND', 'Upload not found')
    const missing = Array.from({ length: totalChunks }, (_, index) => index).filter(
      (index) => !upload.chunks.has(index),
    )
    if (missing.length > 0) {
      const text = `Upload integrity check failed: Missing chunks [${missing.join(', ')}]`
      return refusal(400, 'UPLOAD_INCOMPLETE', text, { missing })
    }
    const inOrder = [...upload.chunks].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)
    upload.fileId ??= store(upload.name, upload.envelope, Buffer.concat(inOrder))
    return Response.json({ success: true, fileId: upload.fileId, message: 'Done' })
  }

  function cancel({ path }: Seen): Response {
    const id = path.split('/').at(-1) ?? ''
    const upload = uploads.get(id)
    if (!upload) return refusal(404, 'UPLOAD_NOT_FOUND', 'Upload not found')
    if (upload.fileId) return refusal(409, 'UPLOAD_FINISHED', 'This upload is already complete')
    uploads.delete(id)
    return Response.json({ success: true })
  }

  function openUpload({ path }: Seen): Response {
    const id = path.split('/').at(-1) ?? ''
    const upload = uploads.get(id)
    if (!upload || upload.fileId) return refusal(404, 'UPLOAD_NOT_FOUND', 'Upload not found')
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
    const described = listed().map((file) => {
      const { bytes, envelope } = stored.get(file.id) as StoredFile
      const chunkSize = parseEnvelope(envelope).header.recordBytes
      return { ...file, entry: `${file.id}.ef1`, sealedSize: bytes.length, chunkSize }
    })
    return { version: 1, files: described }
  }

  function archive(described: SealedManifest = manifest()): Response {
    const { files: entries } = described
    const text = Buffer.from(JSON.stringify(described))
    const contents = [text, ...entries.map(({ id }) => stored.get(id)?.bytes ?? new Uint8Array())]
    const parts = contents.flatMap((content, at) => {
      const name = entries[at - 1]?.entry ?? 'manifest.json'
      const entry = { name, bytes: content.length, modifiedAt: 0, hasDescriptor: at > 0 }
      return [localHeader(entry), content, ...(at > 0 ? [dataDescriptor(entry, 0)] : [])]
    })
    return new Response(Buffer.concat([...parts, directory([], 0)]))
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

  function single({ headers, body }: Seen): Response {
    const id = store(headers.get('x-file-name') ?? '', headers.get('x-encrypted-file-key') ?? '', body)
    return Response.json({ success: true, id, fileId: id, message: '' })
  }

  function download(file: StoredFile, { headers }: Seen): Response {
    const { header } = parseEnvelope(file.envelope)
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.get('range') ?? '')
    const from = Number(range?.[1] ?? 0)
    const bytes = file.bytes.slice(from, range?.[2] ? Number(range[2]) + 1 : undefined)
    return new Response(bytes, {
      status: range ? 206 : 200,
      headers: { 'X-Chunk-Size': String(header.recordBytes), 'Content-Length': String(bytes.length) },
    })
  }

  function share({ path, body }: Seen): Response {
    const fileId = path.split('/')[3] ?? ''
    const { shareEncryptedFileKey, shareProof } = JSON.parse(new TextDecoder().decode(body))
    shares.set(shareTokenFor(fileId), { fileId, envelope: shareEncryptedFileKey, proof: shareProof })
    return Response.json({ ...freshShare, shareUrl: `/s/${shareTokenFor(fileId)}` })
  }

  function sharedFile(request: Seen): Response {
    const found = shares.get(decodeURIComponent(request.path.split('/').at(-1) ?? ''))
    const file = stored.get(found?.fileId ?? '')
    if (!found || !file) return refusal(404, 'SHARE_NOT_FOUND', 'File not found or expired')
    const isLook = request.method === 'HEAD'
    if (!isLook && request.headers.get('x-share-proof') !== found.proof) {
      return refusal(403, 'SHARE_PROOF_REQUIRED', 'This share link is incomplete. Ask for the whole link.')
    }
    const response = download(file, request)
    response.headers.set('X-Share-Encrypted-File-Key', found.envelope)
    response.headers.set('X-Expires-At', '1800000000000')
    response.headers.set('Content-Disposition', `attachment; filename="${file.name}"`)
    return isLook ? new Response(null, { headers: response.headers }) : response
  }

  function answer(request: Seen): Response {
    const { method, path, headers } = request
    if (path.startsWith('/api/share/')) return sharedFile(request)
    const token = headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (!tokens.has(token)) return refusal(401, 'SESSION_EXPIRED', 'Your session has expired. Please log in again.')
    if (path === files.upload.path) return single(request)
    if (path === files.uploadChunk.path) return uploadChunk(request)
    if (path === files.completeUpload.path) return complete(request)
    if (path.startsWith('/api/uploads/')) return method === 'DELETE' ? cancel(request) : openUpload(request)
    if (path === files.list.path) return list()
    if (path === files.downloadAll.path) return archive()
    const file = stored.get(path.split('/')[3] ?? '')
    if (!file) return refusal(404, 'FILE_NOT_FOUND', 'File not found')
    if (path.endsWith('/share-zk')) return share(request)
    if (path.endsWith('/share')) {
      const token = shareTokenFor(file.id)
      if (!shares.has(token)) return refusal(404, 'NOT_SHARED', 'This file is not shared')
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
    const request: Seen = {
      method: init.method ?? 'GET',
      path: new URL(String(input), 'http://server.test').pathname,
      headers: new Headers(init.headers),
      body: new Uint8Array(await new Response(init.body ?? null).arrayBuffer()),
      signal: init.signal ?? null,
    }
    init.signal?.throwIfAborted()
    seen.push(request)
    const trouble = fault(request, seen.filter(({ path }) => path === request.path).length)
    if (trouble === 'cut') throw new TypeError('fetch failed')
    if (trouble === 'hang') await aborted(init.signal)
    if (trouble instanceof Promise) await Promise.race([trouble, aborted(init.signal)])
    if (trouble instanceof Response) return trouble
    const real = answer(request)
    if (trouble === 'lost') throw new TypeError('fetch failed')
    if (trouble === 'stuck') await aborted(init.signal)
    if (typeof trouble !== 'object' || trouble instanceof Promise) return real
    return cutBody(real, trouble)
  }

  return { fetch, seen, stored, uploads, shares, tokens, store, manifest, archive }
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

/** A token in the form of the server's own. */
export const shareTokenFor = (fileId: string): string =>
  createHash('sha256').update(fileId).digest('base64url').slice(0, 22)

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function cutBody(response: Response, cut: { breakAfter: number } | { endAfter: number }): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.slice(0, 'breakAfter' in cut ? cut.breakAfter : cut.endAfter))
      // The bytes before the break are read before it is noticed.
      await new Promise((resolve) => setTimeout(resolve, 20))
      if ('breakAfter' in cut) controller.error(new TypeError('network error'))
      else controller.close()
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

const freshShare = { success: true, downloads: 0, lastDownloadAt: null, maxDownloads: null, label: null } as const

import { createFileServer } from '@sallyport/client/testing/file-server'
import type { ServerRequest } from './server.ts'

/** The account calls that are equivalent to the session calls. */
const equivalentCalls: Readonly<Record<string, (params: Readonly<Record<string, string>>) => string>> = {
  'POST /api/sessions/:id/upload-chunk': () => '/api/upload-chunk',
  'POST /api/sessions/:id/complete-upload': () => '/api/complete-chunk-upload',
  'GET /api/sessions/:id/uploads/:uploadId': ({ uploadId }) => `/api/uploads/${uploadId}`,
  'DELETE /api/sessions/:id/uploads/:uploadId': ({ uploadId }) => `/api/uploads/${uploadId}`,
  'GET /api/sessions/files/:fileId/download': ({ fileId }) => `/api/download/${fileId}`,
}

/** The in-memory files of one session of an honest server. */
export function serveSessionFiles(): (request: ServerRequest) => Promise<unknown> {
  const server = createFileServer()

  const listed = (sessionId: string) =>
    [...server.stored.values()].map(({ id, name, envelope, bytes }) => ({
      id,
      filename: name,
      original_name: name,
      size_bytes: bytes.length,
      expires_at: null,
      created_at: 0,
      session_id: sessionId,
      encrypted_file_key: envelope,
    }))

  return async ({ name, params, endpoint, headers, bytes }) => {
    if (name === 'GET /api/sessions/:id/files') return { success: true, files: listed(params['id'] ?? '') }
    const address = equivalentCalls[name]?.(params)
    if (address === undefined) throw new Error(`Unexpected call ${name}`)
    headers.set('authorization', 'Bearer token')
    const response = await server.fetch(address, {
      method: endpoint.method,
      headers,
      ...(bytes.length > 0 && { body: bytes }),
    })
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return response.ok && isJson ? response.json() : response
  }
}

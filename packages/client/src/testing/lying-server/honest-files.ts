import { createFileServer } from '../file-server.ts'
import type { ServerRequest } from './server.ts'

/** The in-memory file server as the honest half of a lying one. */
export function serveFiles(): (request: ServerRequest) => Promise<unknown> {
  const server = createFileServer()
  return async ({ url, endpoint, headers, bytes }) => {
    const response = await server.fetch(url, {
      method: endpoint.method,
      headers,
      ...(bytes.length > 0 && { body: bytes }),
    })
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return response.ok && isJson ? response.json() : response
  }
}

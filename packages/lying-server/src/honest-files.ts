import { createFileServer } from '@sallyport/client/testing/file-server'
import type { ServerRequest } from './server.ts'

/** The in-memory file server as the honest part of a lying one. It also stores the labels of shares. */
export function serveFiles(server = createFileServer()): (request: ServerRequest) => Promise<unknown> {
  const labels = new Map<string | undefined, unknown>()
  return async ({ name, params, url, endpoint, headers, bytes, json }) => {
    const response = await server.fetch(url, {
      method: endpoint.method,
      headers,
      ...(bytes.length > 0 && { body: bytes }),
    })
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    if (!response.ok || !isJson) return response
    const answer = await response.json()
    if (!name.includes('/share')) return answer
    if (json['label'] !== undefined) labels.set(params['id'], json['label'])
    return { ...answer, label: labels.get(params['id']) ?? null }
  }
}

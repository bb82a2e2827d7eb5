import type { WholeServer } from '../servers/whole-server.ts'
import type { TestFile } from './sealed-file.ts'

interface CallInput {
  readonly accessToken: string
  readonly file: TestFile
}

export const bearer = (accessToken: string) => ({ headers: { authorization: `Bearer ${accessToken}` } })

/** Uploads a file as a single chunk. */
export function upload({ url }: WholeServer, accessToken: string, file: TestFile): Promise<Response> {
  return fetch(`${url}/api/upload`, {
    method: 'POST',
    headers: {
      ...bearer(accessToken).headers,
      'content-type': 'application/octet-stream',
      'x-file-name': file.name,
      'x-encrypted-file-key': file.envelope,
    },
    body: new Uint8Array(file.sealed),
  })
}

/** Calls of every kind that use the database. */
export function callsOf(server: WholeServer, { accessToken, file }: CallInput): (() => Promise<Response>)[] {
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: 'somebody@example.org', password: `Zk2.${'A'.repeat(43)}` })
  return [
    () => upload(server, accessToken, file),
    () => fetch(`${server.url}/api/files`, bearer(accessToken)),
    () => fetch(`${server.url}/api/login`, { method: 'POST', headers: json, body }),
    () => fetch(`${server.url}/auth/v1/user`, bearer(accessToken)),
    () => fetch(`${server.url}/api/share/${'A'.repeat(22)}`),
  ]
}

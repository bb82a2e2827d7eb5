import { expect } from 'vitest'
import { randomCredential, randomEmail } from '../servers/account-server.ts'
import { chunkHeaders, randomUploadId, summaryOf } from '../servers/file-server.ts'
import { call } from './operator.ts'
import { sealFile, type TestFile } from './sealed-file.ts'

interface MemberCredentials {
  readonly email: string
  readonly password: string
}

export interface RunningMember extends MemberCredentials {
  readonly accessToken: string
}

/** Registers a user of a server in a process of its own. */
export async function registerMember(url: string): Promise<RunningMember> {
  const credentials = { email: randomEmail(), password: randomCredential() }
  const answer = await call(`${url}/api/register`, credentials)
  expect(answer.status).toBeLessThan(300)
  return { ...credentials, accessToken: await signIn(url, credentials) }
}

/** Signs in and returns the access token. */
export async function signIn(url: string, { email, password }: MemberCredentials): Promise<string> {
  const { session } = await call(`${url}/api/login`, { email, password })
  return session.access_token
}

/** Uploads a random file in chunks of 64 KiB. Resolves when the server has acknowledged the file. */
export async function uploadFile(
  url: string,
  accessToken: string,
  plainBytes: number,
): Promise<{ readonly id: string; readonly file: TestFile }> {
  const file = await sealFile({ plainBytes })
  const uploadId = randomUploadId()
  for (const [index, chunk] of file.chunks.entries()) {
    const headers = { authorization: `Bearer ${accessToken}`, ...chunkHeaders(file, { uploadId, index }) }
    const answer = await fetch(`${url}/api/upload-chunk`, { method: 'POST', headers, body: new Uint8Array(chunk) })
    if (!answer.ok) throw new Error(`upload-chunk: ${answer.status} ${await answer.text()}`)
  }
  const completed = await fetch(`${url}/api/complete-chunk-upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...summaryOf(file), uploadId }),
  })
  if (!completed.ok) throw new Error(`complete-chunk-upload: ${completed.status} ${await completed.text()}`)
  return { id: ((await completed.json()) as { fileId: string }).fileId, file }
}

/** Downloads the sealed bytes of a file; null if the server does not have it. */
export async function downloadFile(url: string, accessToken: string, id: string): Promise<Buffer | null> {
  const answer = await fetch(`${url}/api/download/${id}`, { headers: { authorization: `Bearer ${accessToken}` } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return answer.ok ? bytes : null
}

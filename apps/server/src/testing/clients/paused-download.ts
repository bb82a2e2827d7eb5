import { beginRequest, type FileServer } from '../servers/file-server.ts'
import { sealFile } from './sealed-file.ts'

const mebibyte = 1024 * 1024

/** Larger than the buffers between server and client, so that a paused reader blocks the server. */
export const sealLargeFile = () => sealFile({ plainBytes: 40 * mebibyte, chunkBytes: mebibyte })

/** Starts a download whose body is not read until the caller resumes it. */
export const beginDownload = (server: FileServer, userId: string, fileId: string) =>
  beginUnread(server, `/api/download/${fileId}`, server.bearerOf(userId))

/** Starts a GET request whose body is not read until the caller resumes it. */
export async function beginUnread(server: FileServer, path: string, headers: Readonly<Record<string, string>>) {
  const begun = beginRequest(await server.listen(), { method: 'GET', path, headers })
  begun.request.end()
  const answer = await begun.answer
  answer.pause()
  return { ...begun, answer }
}

import { beginRequest, type FileServer } from '../servers/file-server.ts'
import { sealFile } from './sealed-file.ts'

const mebibyte = 1024 * 1024

/** Larger than the buffers between server and client, so that a paused reader blocks the server. */
export const sealLargeFile = () => sealFile({ plainBytes: 40 * mebibyte, chunkBytes: mebibyte })

/** Starts a download whose body is not read until the caller resumes it. */
export async function beginDownload(server: FileServer, userId: string, fileId: string) {
  const path = `/api/download/${fileId}`
  const begun = beginRequest(await server.listen(), { method: 'GET', path, headers: server.bearerOf(userId) })
  begun.request.end()
  const answer = await begun.answer
  answer.pause()
  return { ...begun, answer }
}

import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { RunningServer } from '../server/server.ts'
import type { SealedUpload } from './sealed-upload.ts'

/** A chunk of an upload of which the server has received only a half. */
export interface PartialChunk {
  finish(): Promise<number>
  abort(): void
}

/** Sends half of a chunk and resolves once the server is reading it. */
export async function beginChunk(server: RunningServer, upload: SealedUpload, index: number): Promise<PartialChunk> {
  const { url, headers } = upload.requestFor(server.url, index)
  const bytes = upload.chunks[index] ?? Buffer.alloc(0)
  const sending: ClientRequest = request(url, {
    method: 'POST',
    headers: { ...headers, expect: '100-continue' },
    agent: false,
  })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => undefined)
  sending.on('error', () => undefined)
  sending.flushHeaders()
  await once(sending, 'continue')
  const half = bytes.length >> 1
  await new Promise<void>((resolve) => sending.write(bytes.subarray(0, half), () => resolve()))
  return {
    async finish() {
      sending.end(bytes.subarray(half))
      const [answer] = await answered
      answer.resume()
      return answer.statusCode ?? 0
    },
    abort: () => void sending.destroy(),
  }
}

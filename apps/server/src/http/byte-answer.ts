import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Bytes that leave the server as they are. Without a stream only the headers go out. */
export interface ByteAnswer {
  readonly status?: 200 | 206
  readonly headers: Readonly<Record<string, string>>
  readonly stream?: Readable
}

/** Bytes people stored are never shown by a browser, whatever they hold. */
export const sealedBytesHeaders = {
  'Content-Type': 'application/octet-stream',
  'Content-Security-Policy': "sandbox; default-src 'none'",
} as const

export function sendBytes(reply: FastifyReply, answer: ByteAnswer): FastifyReply {
  reply.code(answer.status ?? 200).headers(answer.headers)
  return answer.stream ? reply.send(answer.stream) : reply.send()
}

import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { releaseWhenSent } from './release-memory.ts'

/** A response with raw bytes. Without a stream only the headers are sent. */
export interface ByteResponse {
  readonly status?: 200 | 206
  readonly headers: Readonly<Record<string, string>>
  readonly stream?: Readable
  /** Called when the last byte was handed to the network; not if the client disconnects before. */
  readonly onServed?: () => void
}

/** Browsers never display stored bytes, whatever they contain. */
export const sealedBytesHeaders = {
  'Content-Type': 'application/octet-stream',
  'Content-Security-Policy': "sandbox; default-src 'none'",
} as const

/** Sends raw bytes without validation by the contract. */
export function sendBytes(
  reply: FastifyReply,
  { status = 200, headers, stream, onServed }: ByteResponse,
): FastifyReply {
  if (onServed) reply.raw.once('finish', onServed)
  reply.code(status).headers(headers)
  if (stream) releaseWhenSent(reply.raw)
  return stream ? reply.send(stream) : reply.send()
}

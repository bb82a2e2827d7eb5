import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { giveBackWhenSent } from './give-back.ts'

/** Bytes that leave the server as they are. Without a stream only the headers go out. */
export interface ByteAnswer {
  readonly status?: 200 | 206
  readonly headers: Readonly<Record<string, string>>
  readonly stream?: Readable
  /** Called when the last of the bytes has been handed to the network; not when the other side left before. */
  readonly onServed?: () => void
}

/** Bytes people stored are never shown by a browser, whatever they hold. */
export const sealedBytesHeaders = {
  'Content-Type': 'application/octet-stream',
  'Content-Security-Policy': "sandbox; default-src 'none'",
} as const

/** Answers with bytes as they are, without the contract in between. */
export function sendBytes(reply: FastifyReply, { status = 200, headers, stream, onServed }: ByteAnswer): FastifyReply {
  if (onServed) reply.raw.once('finish', onServed)
  reply.code(status).headers(headers)
  if (stream) giveBackWhenSent(reply.raw)
  return stream ? reply.send(stream) : reply.send()
}

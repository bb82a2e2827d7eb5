import * as z from 'zod/mini'
import { isErrorCode } from './error-codes.ts'
import { ByteCount, Id, SealedName, UploadId, WrappedFileKey } from './fields.ts'

/** The path of the upload socket, with `?session=` and a ticket with the purpose `upload`. */
export const uploadSocketPath = '/api/ws-upload'

/** Some clients send integers as text. */
const WholeNumber = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,16}$/))]),
  z.pipe(
    z.transform((value: number | string) => Number(value)),
    ByteCount,
  ),
)

/** Messages of a client. Between the two, sealed bytes are sent as binary frames of any length, in order. */
export const UploadSocketClientMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('upload-start'),
    uploadId: UploadId,
    /** The sealed name. */
    fileName: SealedName,
    /** Plain bytes of the file. */
    fileSize: WholeNumber,
    /** Sealed bytes of the file; more are an error. */
    encryptedSize: WholeNumber,
    encryptedFileKey: WrappedFileKey,
    /** Some clients repeat the query parameter here. */
    sessionId: z.optional(z.unknown()),
    /** Plain bytes of every chunk except the last; without it the default for the file's size applies. */
    chunkSize: z.optional(WholeNumber),
    /** Only this chunk is sent; the upload stays open and is completed by another call. */
    chunkIndex: z.optional(WholeNumber),
    fileExpirationMinutes: z.optional(WholeNumber),
  }),
  z.object({
    type: z.literal('upload-complete-signal'),
    uploadId: UploadId,
    /** Sealed bytes that were sent. */
    actualEncryptedSize: WholeNumber,
  }),
])
export type UploadSocketClientMessage = z.output<typeof UploadSocketClientMessage>
export type UploadStart = Extract<UploadSocketClientMessage, { type: 'upload-start' }>

/** Messages of the server. After `upload-error` it closes the socket. */
export const UploadSocketServerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('upload-progress'),
    uploadId: z.string(),
    /** Whole per cent. */
    progress: z.number(),
    /** Sealed bytes received since the start, out of those that were declared. */
    bytesRead: ByteCount,
    totalBytes: ByteCount,
  }),
  /** From here on, the declared chunk survives a crash. */
  z.object({ type: z.literal('upload-chunk-stored'), uploadId: z.string(), chunkIndex: z.int() }),
  z.object({ type: z.literal('upload-complete'), uploadId: z.string(), fileId: Id, message: z.string() }),
  z.object({
    type: z.literal('upload-error'),
    uploadId: z.optional(z.string()),
    error: z.string(),
    code: z.string().check(z.refine(isErrorCode)),
    /** The HTTP status of the equivalent request. */
    status: z.int(),
    retryAfterSeconds: z.optional(z.number()),
    details: z.optional(z.record(z.string(), z.unknown())),
  }),
])
export type UploadSocketServerMessage = z.output<typeof UploadSocketServerMessage>

/** Parses one text frame of a client; null for an unknown message. */
export function parseUploadSocketMessage(text: string): UploadSocketClientMessage | null {
  const message = parseObject(text)
  if (!message) return null
  // Some clients send the name of a message in `event`, and its contents in `data` or `payload`.
  const { event, data, payload, ...rest } = message
  const inner = asObject(data) ?? asObject(payload) ?? {}
  const parsed = z.safeParse(UploadSocketClientMessage, { type: event, ...inner, ...rest })
  return parsed.success ? parsed.data : null
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return null
  }
}

const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null

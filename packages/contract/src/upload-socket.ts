import * as z from 'zod/mini'
import { isErrorCode } from './error-codes.ts'
import { ByteCount, Id, SealedName, UploadId, WrappedFileKey } from './fields.ts'

/** Where an upload by socket is opened, with `?session=` and a ticket of the purpose `upload`. */
export const uploadSocketPath = '/api/ws-upload'

/** Whole numbers may come as text, as some clients write them. */
const Whole = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,16}$/))]),
  z.pipe(
    z.transform((value: number | string) => Number(value)),
    ByteCount,
  ),
)

/** What a client says. Sealed bytes travel between the two as binary frames of any length, in order. */
export const UploadSocketAsk = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('upload-start'),
    uploadId: UploadId,
    /** The sealed name. */
    fileName: SealedName,
    /** Plain bytes of the file. */
    fileSize: Whole,
    /** Sealed bytes of the file; more are refused. */
    encryptedSize: Whole,
    encryptedFileKey: WrappedFileKey,
    /** Some clients repeat here what stands in the address. */
    sessionId: z.optional(z.unknown()),
    /** Plain bytes of every chunk but the last; without it the usual rule for the file's size. */
    chunkSize: z.optional(Whole),
    /** Only this chunk comes; the upload stays open afterwards, and is completed by another call. */
    chunkIndex: z.optional(Whole),
    fileExpirationMinutes: z.optional(Whole),
  }),
  z.object({
    type: z.literal('upload-complete-signal'),
    uploadId: UploadId,
    /** Sealed bytes that were sent. */
    actualEncryptedSize: Whole,
  }),
])
export type UploadSocketAsk = z.output<typeof UploadSocketAsk>
export type UploadStart = Extract<UploadSocketAsk, { type: 'upload-start' }>

/** What the server says. After `upload-error` it closes the socket. */
export const UploadSocketAnswer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('upload-progress'),
    uploadId: z.string(),
    /** Whole per cent. */
    progress: z.number(),
    /** Sealed bytes taken since the start, out of those that were announced. */
    bytesRead: ByteCount,
    totalBytes: ByteCount,
  }),
  /** The one chunk that was announced survives a crash from here on. */
  z.object({ type: z.literal('upload-chunk-stored'), uploadId: z.string(), chunkIndex: z.int() }),
  z.object({ type: z.literal('upload-complete'), uploadId: z.string(), fileId: Id, message: z.string() }),
  z.object({
    type: z.literal('upload-error'),
    uploadId: z.optional(z.string()),
    error: z.string(),
    code: z.string().check(z.refine(isErrorCode)),
    /** What the refusal would have been answered with as a request. */
    status: z.int(),
    retryAfterSeconds: z.optional(z.number()),
    details: z.optional(z.record(z.string(), z.unknown())),
  }),
])
export type UploadSocketAnswer = z.output<typeof UploadSocketAnswer>

/** Reads one text frame of a client; null when it says nothing that is known here. */
export function readUploadSocketAsk(text: string): UploadSocketAsk | null {
  const said = parseObject(text)
  if (!said) return null
  // Some clients put the name of a message under `event`, and what it says under `data` or `payload`.
  const { event, data, payload, ...rest } = said
  const inner = asObject(data) ?? asObject(payload) ?? {}
  const parsed = z.safeParse(UploadSocketAsk, { type: event, ...inner, ...rest })
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

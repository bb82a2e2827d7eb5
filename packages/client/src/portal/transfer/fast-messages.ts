import * as z from 'zod/mini'
import { parseMessage } from '../channel.ts'
import type { PortalErrorCode } from '../errors.ts'

const Count = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER))
const Index = z.int().check(z.gte(0), z.lte(0xffff))
const Text = z.string().check(z.maxLength(64))
const Digest = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
export const TransferId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))

const Sample = z.object({ block: Count, digest: Digest })

/** Limits: files per offer, bytes of a control message that every browser can send, and accepted characters of one. */
export const maxOfferedFiles = 10_000
export const maxSentMessageBytes = 250_000
export const maxReceivedMessageChars = 1024 * 1024

const OfferedFile = z.object({
  f: Index,
  name: z.string().check(z.minLength(1), z.maxLength(1024)),
  /** The folder, separated by `/`. */
  path: z.optional(z.string().check(z.maxLength(1024))),
  size: Count,
  mime: z.string().check(z.maxLength(255)),
})
export type OfferedFile = z.output<typeof OfferedFile>

const RejectReason = z.enum(['user', 'busy', 'no-space', 'too-big'])
export type RejectReason = z.output<typeof RejectReason>

const CancelCode = z.enum(['user', 'source-changed', 'too-much', 'damaged', 'no-space', 'failed'])
export type CancelCode = z.output<typeof CancelCode>

export const cancelErrors: Readonly<Record<CancelCode, PortalErrorCode>> = {
  user: 'CANCELLED',
  'source-changed': 'SOURCE_CHANGED',
  'too-much': 'TOO_MUCH',
  damaged: 'DAMAGED',
  'no-space': 'NO_SPACE',
  failed: 'PEER_RESET',
}

/** Control messages of the fast protocol. `tid` identifies a transfer and `f` is the index of a file in it. */
export const FastMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('px-hello'),
    v: z.literal(2),
    maxMessage: Count,
    bind: z.optional(z.string().check(z.maxLength(64))),
  }),
  z.object({
    type: z.literal('px-offer'),
    tid: TransferId,
    files: z.array(OfferedFile).check(z.minLength(1), z.maxLength(maxOfferedFiles)),
    chunk: z.literal([16_384, 32_768, 65_536]),
    block: z.literal(1_048_576),
    /** A secret of this transfer, wrapped for the other device. Sending it again proves that the sender is the same. */
    proof: z.optional(z.string().check(z.maxLength(128))),
  }),
  z.object({
    type: z.literal('px-accept'),
    tid: TransferId,
    /** For partially received files: one character per block, `1` if stored, and a sample of digests to compare. */
    have: z.optional(
      z.array(z.object({ f: Index, blocks: z.string(), sample: z.array(Sample).check(z.maxLength(8)) })),
    ),
  }),
  z.object({ type: z.literal('px-reject'), tid: TransferId, reason: RejectReason }),
  z.object({ type: z.literal('px-file'), tid: TransferId, f: Index, key: z.string().check(z.maxLength(128)) }),
  z.object({
    type: z.literal('px-ack'),
    tid: TransferId,
    /** Bytes of frames received over this link. */
    seen: Count,
    credit: z.int(),
    t: Count,
    /** Set after a period without frames: everything in flight is lost. */
    idle: z.optional(z.boolean()),
  }),
  z.object({
    type: z.literal('px-digests'),
    tid: TransferId,
    f: Index,
    from: Count,
    list: z.array(Digest).check(z.maxLength(1024)),
  }),
  z.object({
    type: z.literal('px-need'),
    tid: TransferId,
    f: Index,
    /** The first missing chunk and the number of missing chunks. */
    ranges: z.array(z.object({ first: Count, count: Count })).check(z.maxLength(1024)),
    why: Text,
  }),
  z.object({ type: z.literal('px-end'), tid: TransferId, f: Index, chunks: Count, root: Digest }),
  z.object({ type: z.literal('px-done'), tid: TransferId, f: Index }),
  z.object({ type: z.literal('px-cancel'), tid: TransferId, code: CancelCode }),
  /** The SAS comparison of unverified devices: first a commitment, then the committed values. */
  z.object({
    type: z.literal('px-sas'),
    commit: z.optional(Text),
    nonce: z.optional(Text),
    key: z.optional(z.string().check(z.maxLength(128))),
  }),
])
export type FastMessage = z.output<typeof FastMessage>
export type FastMessageOf<Type extends FastMessage['type']> = Extract<FastMessage, { type: Type }>

/** Null for messages that this version does not know. */
export function parseFastMessage(text: string): FastMessage | null {
  return text.length > maxReceivedMessageChars ? null : parseMessage(FastMessage, text)
}

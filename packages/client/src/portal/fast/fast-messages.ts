import * as z from 'zod/mini'

const Count = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER))
const Index = z.int().check(z.gte(0), z.lte(0xffff))
const Text = z.string().check(z.maxLength(64))
const Digest = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
export const TransferId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))

const Sample = z.object({ block: Count, digest: Digest })

/** Files of one offer, characters of the longest control message, and bytes that every browser sends in one message. */
export const mostOfferedFiles = 10_000
export const longestSaidBytes = 250_000
export const longestMessage = 1024 * 1024

const OfferedFile = z.object({
  f: Index,
  name: z.string().check(z.minLength(1), z.maxLength(1024)),
  /** Folders, parted by `/`. */
  path: z.optional(z.string().check(z.maxLength(1024))),
  size: Count,
  mime: z.string().check(z.maxLength(255)),
})
export type OfferedFile = z.output<typeof OfferedFile>

const RejectReason = z.enum(['user', 'busy', 'no-space', 'too-big'])
export type RejectReason = z.output<typeof RejectReason>

const CancelCode = z.enum(['user', 'source-changed', 'too-much', 'damaged', 'no-space', 'failed'])
export type CancelCode = z.output<typeof CancelCode>

/** What devices of ours say beside the bytes. `tid` names a transfer, `f` a file in it. */
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
    files: z.array(OfferedFile).check(z.minLength(1), z.maxLength(mostOfferedFiles)),
    chunk: z.literal([16_384, 32_768, 65_536]),
    block: z.literal(1_048_576),
    /** A secret of this transfer, wrapped for the other device: whoever shows it again is the same sender. */
    proof: z.optional(z.string().check(z.maxLength(128))),
  }),
  z.object({
    type: z.literal('px-accept'),
    tid: TransferId,
    /** For files that came in part before: one character for each block, `1` where it is kept, and some to compare. */
    have: z.optional(
      z.array(z.object({ f: Index, blocks: z.string(), sample: z.array(Sample).check(z.maxLength(8)) })),
    ),
  }),
  z.object({ type: z.literal('px-reject'), tid: TransferId, reason: RejectReason }),
  z.object({ type: z.literal('px-file'), tid: TransferId, f: Index, key: z.string().check(z.maxLength(128)) }),
  z.object({
    type: z.literal('px-ack'),
    tid: TransferId,
    /** Bytes of frames that arrived since this link stands. */
    seen: Count,
    credit: z.int(),
    t: Count,
    /** Nothing has come for a while: what is on its way is lost. */
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
    /** The first chunk that is missing, and how many are. */
    ranges: z.array(z.object({ first: Count, count: Count })).check(z.maxLength(1024)),
    why: Text,
  }),
  z.object({ type: z.literal('px-end'), tid: TransferId, f: Index, chunks: Count, root: Digest }),
  z.object({ type: z.literal('px-done'), tid: TransferId, f: Index }),
  z.object({ type: z.literal('px-cancel'), tid: TransferId, code: CancelCode }),
  /** Two that have proved nothing: first a commitment, then what was committed to. */
  z.object({
    type: z.literal('px-sas'),
    commit: z.optional(Text),
    nonce: z.optional(Text),
    key: z.optional(z.string().check(z.maxLength(128))),
  }),
])
export type FastMessage = z.output<typeof FastMessage>
export type Said<Type extends FastMessage['type']> = Extract<FastMessage, { type: Type }>

/** Null for what this version does not know. */
export function readFastMessage(text: string): FastMessage | null {
  if (text.length > longestMessage) return null
  try {
    const parsed = z.safeParse(FastMessage, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

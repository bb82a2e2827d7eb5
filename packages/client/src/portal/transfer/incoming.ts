import { ignore } from '@sallyport/contract/ignore'
import { type Bytes, deriveBytes, importRootKey, portalDigest, toBase64url, utf8 } from '@sallyport/crypto/portal'
import type { PortalSink } from '../channel.ts'
import type { CreateSink } from '../exchange-state.ts'
import { blockBytes, blockCount, chunkCount, lengthAt, sampleOf } from './blocks.ts'
import type { FastMessageOf, OfferedFile } from './fast-messages.ts'
import type { PersistedIncoming, TransferJournal } from './transfer-journal.ts'

export interface IncomingFile {
  readonly offered: OfferedFile
  readonly sink: PortalSink
  readonly digests: (string | undefined)[]
  /** Whether each block is stored with a verified digest. */
  readonly stored: boolean[]
  readonly partialBlocks: Map<number, { readonly bytes: Bytes; readonly received: Set<number> }>
  key: Promise<CryptoKey> | null
  end: FastMessageOf<'px-end'> | null
  /** The highest received chunk; chunks below it may be missing. */
  highest: number
  isDone: boolean
}

/** The receiver's state of a transfer; it survives the loss of a link. */
export interface IncomingTransfer extends Pick<PersistedIncoming, 'tid' | 'chunk' | 'proof'> {
  readonly files: readonly IncomingFile[]
}

export const createIncomingTransfer = (
  { tid, files, chunk }: Pick<PersistedIncoming, 'tid' | 'files' | 'chunk'>,
  createSink: (file: OfferedFile) => PortalSink,
  proof = '',
): IncomingTransfer => ({
  tid,
  chunk,
  proof,
  files: files.map((offered) => ({
    offered,
    sink: createSink(offered),
    digests: [],
    stored: Array.from({ length: blockCount(offered.size) }, () => false),
    partialBlocks: new Map(),
    key: null,
    end: null,
    highest: -1,
    isDone: false,
  })),
})

/** The stored blocks of each file, in the format of `px-accept`. */
export const haveOf = ({ files }: IncomingTransfer): NonNullable<FastMessageOf<'px-accept'>['have']> =>
  files.flatMap(({ stored, digests, isDone }, f) => {
    if (isDone || !stored.some(Boolean)) return []
    const sample = sampleOf(stored).map((block) => ({ block, digest: digests[block] ?? '' }))
    return [{ f, blocks: stored.map((isStored) => (isStored ? '1' : '0')).join(''), sample }]
  })

/** Resets a file for a new link, over which all but the stored blocks are sent again under another key. */
export function resetForNewLink(file: IncomingFile): void {
  file.key = null
  file.end = null
  file.highest = -1
  file.partialBlocks.clear()
}

export const storedBytes = ({ stored, offered }: IncomingFile): number =>
  stored.reduce((sum, isStored, block) => sum + (isStored ? lengthAt(block, blockBytes, offered.size) : 0), 0)

export type ChunkRange = FastMessageOf<'px-need'>['ranges'][number]

/** Ranges of missing chunks: below the highest received one or, once the sender has sent the end, in the whole file. */
export function missingRanges(file: IncomingFile, chunk: number): ChunkRange[] {
  const last = file.end ? chunkCount(file.offered.size, chunk) - 1 : file.highest
  const perBlock = blockBytes / chunk
  const ranges: ChunkRange[] = []
  for (let index = 0; index <= last; index += 1) {
    const block = Math.floor(index / perBlock)
    if (file.stored[block]) {
      index = (block + 1) * perBlock - 1
      continue
    }
    if (file.partialBlocks.get(block)?.received.has(index)) continue
    const range = ranges.at(-1)
    if (range && range.first + range.count === index) range.count += 1
    else ranges.push({ first: index, count: 1 })
  }
  return ranges
}

export const toPersistedIncoming = (
  { tid, files, chunk, proof }: IncomingTransfer,
  peerName: string,
): PersistedIncoming => ({
  tid,
  peerName,
  files: files.map(({ offered }) => offered),
  places: files.map(({ sink }) => sink.storedName ?? null),
  chunk,
  proof,
})

/** Whether a later page could resume: blocks are stored under a name, or each file is saved independently. */
export const hasResumableState = ({ files }: IncomingTransfer): boolean =>
  files.some(({ sink }) => sink.storedName !== undefined) ||
  (files.length > 1 && files.every(({ sink }) => sink.isIndependent === true))

/** Values derived from the secret that the sender of a transfer sends with each of its offers. */
export interface ResumeCredentials {
  /** The digest of the secret, which the receiver persists to recognize the sender; empty if none was sent. */
  readonly proof: string
  /** Encrypts partial files for a later page, which receives the secret again. Never persisted. */
  readonly stagingKey: Bytes | null
}

const secretBytes = 32
const stagingLabel = utf8('portal/staging')

export const noCredentials: ResumeCredentials = { proof: '', stagingKey: null }

export async function deriveResumeCredentials(secret: Bytes, tid: Bytes): Promise<ResumeCredentials> {
  const proof = toBase64url(await portalDigest(secret))
  if (secret.length !== secretBytes) return { proof, stagingKey: null }
  return { proof, stagingKey: await deriveBytes({ from: await importRootKey(secret), salt: tid, info: stagingLabel }) }
}

interface RestoreIncomingInput {
  readonly offer: FastMessageOf<'px-offer'>
  readonly credentials: ResumeCredentials
  readonly createSink: CreateSink
}

/** Restores the transfer of an earlier page; null if there is none or if the sender or the files differ. */
export async function restoreIncoming(
  journal: TransferJournal,
  { offer, credentials: { proof, stagingKey }, createSink }: RestoreIncomingInput,
): Promise<IncomingTransfer | null> {
  const found = proof === '' ? null : await journal.findIncoming(offer.tid)
  if (!found || found.note.proof !== proof || !isSameOffer(found.note, offer)) return null
  const { note, blocks, finished } = found
  const sinkFor = (file: OfferedFile): PortalSink =>
    finished.includes(file.f) ? noSink : createSink(file, note.places[file.f] ?? undefined, stagingKey)
  const incoming = createIncomingTransfer(note, sinkFor, proof)
  for (const { f, block, digest } of blocks) {
    const file = incoming.files[f]
    if (!file?.sink.storedName || block >= blockCount(file.offered.size)) continue
    file.stored[block] = true
    file.digests[block] = digest
  }
  for (const [f, file] of incoming.files.entries()) {
    file.isDone = finished.includes(f)
    // A file with a missing or changed block starts over.
    if (
      !file.isDone &&
      !(await isIntact(file).catch((error) => ignore(error, 'a file that cannot be read starts over')))
    )
      file.stored.fill(false)
  }
  return incoming
}

/** The sink of files that are already complete. */
const noSink: PortalSink = {
  write: async () => undefined,
  finish: async () => undefined,
  discard: async () => undefined,
}

/** Persisted names are sanitized, so they are not compared; the proof and the sizes are sufficient. */
const isSameOffer = (note: PersistedIncoming, offer: FastMessageOf<'px-offer'>): boolean =>
  note.chunk === offer.chunk &&
  note.files.length === offer.files.length &&
  note.files.every(({ size }, f) => size === offer.files[f]?.size)

/** Verifies a sample of the journaled blocks against their digests. */
async function isIntact({ stored, digests, sink, offered }: IncomingFile): Promise<boolean> {
  for (const block of sampleOf(stored)) {
    const length = lengthAt(block, blockBytes, offered.size)
    const bytes = await sink.read?.(block * blockBytes, length)
    if (bytes?.length !== length || toBase64url(await portalDigest(bytes)) !== digests[block]) return false
  }
  return true
}

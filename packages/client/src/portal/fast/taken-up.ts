import { toBase64url } from '@sallyport/crypto/portal'
import type { PortalSink } from '../channel.ts'
import type { SinkOf } from '../exchange-state.ts'
import { blockCount } from './blocks.ts'
import type { OfferedFile, Said } from './fast-messages.ts'
import type { Outgoing } from './fast-send.ts'
import { createIncoming, type Incoming } from './incoming.ts'
import { checkKept } from './kept-blocks.ts'
import type { ShownSecret } from './shown-secret.ts'
import type { ArrivalNote, DepartureNote, TransferNotes } from './transfer-notes.ts'

export const arrivalOf = ({ tid, files, chunk, proof }: Incoming, peerName: string): ArrivalNote => ({
  tid,
  peerName,
  files: files.map(({ offered }) => offered),
  places: files.map(({ sink }) => sink.place ?? null),
  chunk,
  proof,
})

/** Whether a later page has anything to go on with: blocks that lie somewhere, or files that were handed over already. */
export const canGoOn = ({ files }: Incoming): boolean =>
  files.some(({ sink }) => sink.place !== undefined) ||
  (files.length > 1 && files.every(({ sink }) => sink.standsAlone === true))

export const departureOf = ({ tid, secret, files }: Outgoing, peerName: string): DepartureNote => ({
  tid,
  peerName,
  secret: toBase64url(secret),
  files: files.map(({ name, path, size, modifiedAt }) => ({ name, path, size, modifiedAt: modifiedAt ?? 0 })),
})

interface Offered {
  readonly offer: Said<'px-offer'>
  readonly shown: ShownSecret
  readonly sinkOf: SinkOf
}

/** A transfer as an earlier page has left it; null where it left none, and where somebody else offers it or other files. */
export async function findArrival(notes: TransferNotes, { offer, shown, sinkOf }: Offered): Promise<Incoming | null> {
  const { proof, stagingKey } = shown
  const found = proof === '' ? null : await notes.find(offer.tid)
  if (!found || found.note.proof !== proof || !isSame(found.note, offer)) return null
  const { note, blocks, finished } = found
  const sinkAt = (file: OfferedFile): PortalSink =>
    finished.includes(file.f) ? noSink : sinkOf(file, note.places[file.f] ?? undefined, stagingKey)
  const incoming = createIncoming(note, sinkAt, proof)
  for (const { f: file, block, digest } of blocks) {
    const arriving = incoming.files[file]
    if (!arriving?.sink.place || block >= blockCount(arriving.offered.size)) continue
    arriving.kept[block] = true
    arriving.digests[block] = digest
  }
  for (const file of finished) {
    const arriving = incoming.files[file]
    if (arriving) arriving.isDone = true
  }
  await checkKept(incoming.files)
  return incoming
}

/** For files that are whole already. */
const noSink: PortalSink = {
  write: async () => undefined,
  finish: async () => undefined,
  discard: async () => undefined,
}

/** Names were made harmless when they were accepted; sizes say enough beside the proof. */
const isSame = (note: ArrivalNote, offer: Said<'px-offer'>): boolean =>
  note.chunk === offer.chunk &&
  note.files.length === offer.files.length &&
  note.files.every(({ size }: OfferedFile, f) => size === offer.files[f]?.size)

import type { EndpointSpec, Reply } from '@sallyport/contract/endpoint'
import { files } from '@sallyport/contract/files'
import { transferLimits } from '@sallyport/contract/limits'
import type { Call, Connection } from '../call.ts'
import type { Clock } from '../clock.ts'
import { prepareRequest } from '../request.ts'
import { complete } from './complete-upload.ts'
import type { UploadJournal } from './journal.ts'
import type { LanePool } from './lane-pool.ts'
import type { Line } from './line.ts'
import { chunkCallOf } from './place.ts'
import type { Chunk } from './plan.ts'
import type { PreparedUpload } from './prepare-upload.ts'
import type { LaneProgress } from './seal-lane.ts'
import { sendChunk } from './send-chunk.ts'
import { findStoredFile } from './stored-file.ts'
import { uploadTexts } from './texts.ts'
import type { UploadProgress } from './upload-progress.ts'
import type { WayKeeper } from './way.ts'

export interface SendFile {
  readonly upload: PreparedUpload
  readonly lanes: LanePool
  readonly journal: UploadJournal
  /** Numbers of the chunks that the server has already. */
  readonly stored: ReadonlySet<number>
  readonly connection: Connection
  readonly call: Call
  readonly clock: Clock
  readonly line: Line
  readonly progress: UploadProgress
  readonly ways: WayKeeper
  /** Rejects when the file is not the one that was planned for. */
  readonly checkFile: () => Promise<void>
  readonly signal: AbortSignal
}

/** Seals and sends the whole file; gives the id of the file that the server made of it. */
export async function sendFile(work: SendFile): Promise<string> {
  if (!work.upload.plan.isSingle) await sendChunks(work)
  const singleId = work.upload.plan.isSingle ? await sendSingle(work) : null
  await work.checkFile()
  return singleId ?? (await complete(work))
}

async function sendSingle(work: SendFile): Promise<string> {
  const { upload, call, signal } = work
  const { id } = await sendThroughLane(work, {
    endpoint: files.upload,
    chunk: upload.plan.chunk(0),
    headers: {
      'x-file-name': upload.sealedName,
      'x-encrypted-file-key': upload.envelope,
      ...expirationHeader(upload),
    },
    giveUp: (last) => last,
    findTaken: () => findStoredFile(call, upload.envelope, signal),
  })
  return id
}

/** Takes the chunks in order, as many at a time as the line bears. The first failure stops all the others. */
async function sendChunks(work: SendFile): Promise<void> {
  const { stored } = work
  const { plan } = work.upload
  const stop = new AbortController()
  const stopping = { ...work, signal: AbortSignal.any([work.signal, stop.signal]) }
  const traffic: Traffic = { inFlight: transferLimits.mostInFlight }
  let next = 0

  async function takeChunks(place: number): Promise<void> {
    while (place < traffic.inFlight && next < plan.chunkCount) {
      const chunk = plan.chunk(next)
      next += 1
      if (!stored.has(chunk.index)) await sendOne(stopping, chunk, traffic)
    }
  }

  const places = Array.from({ length: traffic.inFlight }, (_, place) => takeChunks(place))
  try {
    await Promise.all(places)
  } finally {
    stop.abort()
    await Promise.allSettled(places)
  }
}

interface Traffic {
  /** Requests that may be under way at once; a connection that is too slow for one chunk gets fewer. */
  inFlight: number
}

function sendOne(work: SendFile, chunk: Chunk, traffic: Traffic) {
  const { endpoint, params, headers } = chunkCallOf(work.upload.place)
  return sendThroughLane<EndpointSpec>(work, {
    endpoint,
    params,
    chunk,
    headers: {
      ...headers,
      'x-upload-id': work.upload.uploadId,
      'x-chunk-index': String(chunk.index),
      'x-file-name': work.upload.sealedName,
      'x-encrypted-file-key': work.upload.envelope,
      'x-chunk-size': String(work.upload.plan.chunkBytes),
      ...expirationHeader(work.upload),
    },
    giveUp: (last) => new Error(uploadTexts.chunkFailed(chunk.index), { cause: last }),
    onTimeout: () => {
      traffic.inFlight = transferLimits.fewestInFlight
    },
  })
}

interface Parcel<E extends EndpointSpec> {
  readonly endpoint: E
  readonly params?: Readonly<Record<string, string>>
  readonly chunk: Chunk
  readonly headers: Readonly<Record<string, string>>
  readonly giveUp: (last: Error) => Error
  readonly onTimeout?: () => void
  readonly findTaken?: () => Promise<Reply<E> | null>
}

function sendThroughLane<E extends EndpointSpec>(work: SendFile, parcel: Parcel<E>): Promise<Reply<E>> {
  const { connection, clock, line, lanes, journal, progress, ways, signal } = work
  const { params, headers, ...rest } = parcel
  const { chunk } = parcel
  const { accessToken } = connection
  const request = prepareRequest(parcel.endpoint, { params, headers }, connection.baseUrl)
  let noted: Promise<void> = Promise.resolve()
  const onProgress = (made: LaneProgress) => {
    if (made.imprints && !work.upload.plan.isSingle) noted = journal.note(chunk.index, made.imprints)
    progress.report(chunk, made)
  }
  return lanes.use(chunk.end - chunk.start, async (lane) => {
    const reply = await sendChunk({ ...rest, request, lane, accessToken, clock, line, ways, onProgress, signal })
    await noted
    progress.stored(chunk)
    return reply
  })
}

const expirationHeader = ({ expirationMinutes }: PreparedUpload): Readonly<Record<string, string>> =>
  expirationMinutes === undefined ? {} : { 'x-file-expiration-minutes': String(expirationMinutes) }

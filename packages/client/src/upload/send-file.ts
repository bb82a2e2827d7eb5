import type { EndpointSpec, Reply } from '@sallyport/contract/endpoint'
import { files } from '@sallyport/contract/files'
import { transferLimits } from '@sallyport/contract/limits'
import type { Call, Connection } from '../call.ts'
import type { Clock } from '../clock.ts'
import { prepareRequest } from '../request.ts'
import { inUploadWords, mayPass } from './failures.ts'
import { createLanePool, type LanePool } from './lane-pool.ts'
import { chunkCallOf, completeAt } from './place.ts'
import type { Chunk } from './plan.ts'
import type { PreparedUpload } from './prepare-upload.ts'
import type { LaneProgress, SealLane } from './seal-lane.ts'
import { sendChunk } from './send-chunk.ts'
import { findStoredFile } from './stored-file.ts'
import { uploadTexts } from './texts.ts'
import type { UploadProgress } from './upload-progress.ts'
import type { WayKeeper } from './way.ts'

export interface SendFile {
  readonly upload: PreparedUpload
  readonly openLane: () => SealLane
  readonly connection: Connection
  readonly call: Call
  readonly clock: Clock
  readonly progress: UploadProgress
  readonly ways: WayKeeper
  /** Throws when the file is not the one that was planned for. */
  readonly checkFile: () => void
  readonly signal: AbortSignal
}

/** Seals and sends the whole file; gives the id of the file that the server made of it. */
export async function sendFile(work: SendFile): Promise<string> {
  const lanes = createLanePool(work.openLane)
  try {
    if (!work.upload.plan.isSingle) await sendChunks(work, lanes)
    const singleId = work.upload.plan.isSingle ? await sendSingle(work, lanes) : null
    work.checkFile()
    return singleId ?? (await complete(work))
  } finally {
    lanes.closeAll()
  }
}

async function sendSingle(work: SendFile, lanes: LanePool): Promise<string> {
  const { upload, call, signal } = work
  const { id } = await sendThroughLane(work, {
    lanes,
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
async function sendChunks(work: SendFile, lanes: LanePool): Promise<void> {
  const { plan } = work.upload
  const stop = new AbortController()
  const stopping = { ...work, signal: AbortSignal.any([work.signal, stop.signal]) }
  const line = { inFlight: transferLimits.mostInFlight as number }
  let next = 0

  async function takeChunks(place: number): Promise<void> {
    while (place < line.inFlight && next < plan.chunkCount) {
      const chunk = plan.chunk(next)
      next += 1
      await sendOne(stopping, { lanes, chunk, line })
    }
  }

  const places = Array.from({ length: line.inFlight }, (_, place) => takeChunks(place))
  try {
    await Promise.all(places)
  } finally {
    stop.abort()
    await Promise.allSettled(places)
  }
}

interface ChunkOnLine {
  readonly lanes: LanePool
  readonly chunk: Chunk
  /** Requests that may be under way at once; a line that is too slow for one chunk gets fewer. */
  readonly line: { inFlight: number }
}

function sendOne(work: SendFile, { lanes, chunk, line }: ChunkOnLine) {
  const { endpoint, params, headers } = chunkCallOf(work.upload.place)
  return sendThroughLane<EndpointSpec>(work, {
    lanes,
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
      line.inFlight = transferLimits.fewestInFlight
    },
  })
}

interface Parcel<E extends EndpointSpec> {
  readonly lanes: LanePool
  readonly endpoint: E
  readonly params?: Readonly<Record<string, string>>
  readonly chunk: Chunk
  readonly headers: Readonly<Record<string, string>>
  readonly giveUp: (last: Error) => Error
  readonly onTimeout?: () => void
  readonly findTaken?: () => Promise<Reply<E> | null>
}

function sendThroughLane<E extends EndpointSpec>(work: SendFile, parcel: Parcel<E>): Promise<Reply<E>> {
  const { connection, clock, progress, ways, signal } = work
  const { lanes, params, headers, ...rest } = parcel
  const { chunk } = parcel
  const request = prepareRequest(parcel.endpoint, { params, headers }, connection.baseUrl)
  return lanes.use(chunk.end - chunk.start, async (lane) => {
    const onProgress = (made: LaneProgress) => progress.report(chunk, made)
    const { accessToken } = connection
    const reply = await sendChunk({ ...rest, request, lane, accessToken, clock, ways, onProgress, signal })
    progress.stored(chunk)
    return reply
  })
}

/** Asking twice for the same upload gives the same file, so an answer that was lost may be asked for again. */
async function complete({ upload, call, clock, signal }: SendFile): Promise<string> {
  const body = {
    uploadId: upload.uploadId,
    fileName: upload.sealedName,
    encryptedFileKey: upload.envelope,
    totalChunks: upload.plan.chunkCount,
    chunkSize: upload.plan.chunkBytes,
    ...(upload.expirationMinutes !== undefined && { fileExpirationMinutes: upload.expirationMinutes }),
  }
  for (const delayMs of [...transferLimits.retryDelaysMs.slice(0, 2), null]) {
    try {
      const timeoutMs = transferLimits.completionTimeoutMs
      return await completeAt(call, upload.place, body, { signal, timeoutMs })
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw inUploadWords(error)
      if (delayMs === null) throw inUploadWords(error)
      await clock.wait(delayMs, signal)
    }
  }
  throw new Error(uploadTexts.incomplete)
}

const expirationHeader = ({ expirationMinutes }: PreparedUpload): Readonly<Record<string, string>> =>
  expirationMinutes === undefined ? {} : { 'x-file-expiration-minutes': String(expirationMinutes) }

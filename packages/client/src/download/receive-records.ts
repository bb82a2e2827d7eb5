import { shareHeaders } from '@sallyport/contract/sharing'
import { CryptoError, type FileKeys, openRecord, recordStart, sealedRecordBytes } from '@sallyport/crypto'
import { type Clock, isTimeout, withDeadline } from '../clock.ts'
import { NetworkError } from '../errors.ts'
import { createExactReader, type ExactReader } from '../exact-reader.ts'
import { readWhole, send } from '../http.ts'
import type { ReceiveOutcome, ReceiveTask } from './receive-task.ts'
import type { Sink } from './sink.ts'

interface Receiving extends ReceiveTask {
  readonly keys: FileKeys
  readonly sink: Pick<Sink<unknown>, 'write'>
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  readonly onOpened: (plainBytes: number) => void
  readonly signal: AbortSignal
}

/** Fetches a run of records, opens each as it arrives and writes what is verified to where it belongs. */
export async function receiveRecords(work: Receiving): Promise<ReceiveOutcome> {
  try {
    return await withDeadline(work, async (signal) => {
      const response = await send(work.fetch, withRange(work), signal)
      const refusal = await refuseResponse(work, response, signal)
      if (refusal || !response.body) return refusal ?? { kind: 'cut', nextRecord: work.records.first }
      return openAll(work, createExactReader(response.body), signal)
    })
  } catch (error) {
    if (isTimeout(error)) return { kind: 'timeout' }
    if (error instanceof NetworkError) return { kind: 'unreachable' }
    throw error
  }
}

/** Asks for a range only where it wants a part, so that any server will do for a whole file. */
function withRange({ request, records, keys: { header } }: Receiving): Receiving['request'] {
  if (records.first === 0 && records.end === header.recordCount) return request
  const last = records.end - 1
  const lastByte = recordStart(header, last) + sealedRecordBytes(header, last) - 1
  const range = `bytes=${recordStart(header, records.first)}-${lastByte}`
  return { ...request, headers: { ...request.headers, range } }
}

async function refuseResponse(
  work: Receiving,
  response: Response,
  signal: AbortSignal,
): Promise<ReceiveOutcome | null> {
  const { header } = work.keys
  const isWhole = work.records.first === 0 && work.records.end === header.recordCount
  if (response.status !== (isWhole ? 200 : 206)) {
    // A whole file in place of a part is not read through only to be thrown away.
    if (!response.ok) return { kind: 'refused', ...(await readWhole(response, signal)) }
    await response.body?.cancel()
    return { kind: 'refused', status: response.status, body: '', retryAfter: null }
  }
  const recordBytes = response.headers.get(shareHeaders.recordBytes)
  if (recordBytes === String(header.recordBytes)) return null
  await response.body?.cancel()
  return { kind: recordBytes && /^[1-9]\d{0,9}$/.test(recordBytes) ? 'other-record-size' : 'no-record-size' }
}

/** Reads a record while the one before it is opened and written. */
async function openAll(work: Receiving, reader: ExactReader, signal: AbortSignal): Promise<ReceiveOutcome> {
  const { keys, records } = work
  const buffers: ArrayBuffer[] = []
  let writtenEnd = records.first
  let opening: Promise<void> = Promise.resolve()

  const openOne = async (index: number, sealed: Uint8Array<ArrayBuffer>, before: Promise<void>): Promise<void> => {
    const [plain] = await Promise.all([openRecord(keys, index, sealed), before])
    const { byteLength } = plain
    // Left to the garbage collector: Chromium keeps decrypted bytes that are transferred away, but no longer counts them.
    await work.sink.write(plain, index * keys.header.recordBytes, sealed)
    buffers.push(sealed.buffer)
    writtenEnd = index + 1
    work.onOpened(byteLength)
  }

  try {
    for (let index = records.first; index < records.end; index += 1) {
      signal.throwIfAborted()
      const size = sealedRecordBytes(keys.header, index)
      const buffer = buffers.pop() ?? new ArrayBuffer(sealedRecordBytes(keys.header, records.first))
      const sealed = await fillOrCut(reader, buffer, size, signal)
      if (sealed.length < size) {
        await opening
        return { kind: 'cut', nextRecord: index }
      }
      const before = opening
      opening = openOne(index, sealed, before)
      // Looked at in the next round or below; until then a failure must not count as unhandled.
      opening.catch(() => undefined)
      await before
    }
    await opening
    return (await hasMore(reader, signal)) ? { kind: 'damaged', record: records.end } : { kind: 'complete' }
  } catch (error) {
    if (error instanceof CryptoError) return { kind: 'damaged', record: error.recordIndex ?? writtenEnd }
    throw error
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** Fewer bytes than asked for when the connection breaks, as if the stream had ended there. */
async function fillOrCut(
  reader: ExactReader,
  buffer: ArrayBuffer,
  size: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await reader.fill(buffer, size)
  } catch {
    if (signal.aborted) throw signal.reason
    return new Uint8Array(0)
  }
}

async function hasMore(reader: ExactReader, signal: AbortSignal): Promise<boolean> {
  return (await fillOrCut(reader, new ArrayBuffer(1), 1, signal)).length > 0
}

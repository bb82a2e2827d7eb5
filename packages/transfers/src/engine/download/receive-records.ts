import { type Clock, isTimeout, withDeadline } from '@sallyport/client/clock'
import { NetworkError } from '@sallyport/client/errors'
import { bufferResponse, sendRequest } from '@sallyport/client/http'
import { ignore } from '@sallyport/contract/ignore'
import { shareHeaders } from '@sallyport/contract/sharing'
import { CryptoError, type FileKeys, openRecord, recordStart, sealedRecordBytes } from '@sallyport/crypto'
import { createExactReader, type ExactReader } from '../exact-reader.ts'
import type { ReceiveOutcome, ReceiveTask } from './receive-task.ts'
import type { Sink } from './sink.ts'

interface ReceiveRecordsInput extends ReceiveTask {
  readonly keys: FileKeys
  readonly sink: Pick<Sink<unknown>, 'write'>
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  readonly onOpened: (plainBytes: number) => void
  readonly signal: AbortSignal
}

/** Fetches a range of records, decrypts each as it arrives and writes the verified bytes at their position. */
export async function receiveRecords(input: ReceiveRecordsInput): Promise<ReceiveOutcome> {
  try {
    return await withDeadline(input, async (signal) => {
      const response = await sendRequest(input.fetch, withRange(input), signal)
      const rejection = await checkResponse(input, response, signal)
      if (rejection || !response.body) return rejection ?? { kind: 'cut', nextRecord: input.records.first }
      return openRecords(input, createExactReader(response.body), signal)
    })
  } catch (error) {
    if (isTimeout(error)) return { kind: 'timeout' }
    if (error instanceof NetworkError) return { kind: 'unreachable' }
    throw error
  }
}

/** Adds a Range header only for a part of the file, so that any server works for a whole file. */
function withRange({ request, records, keys: { header } }: ReceiveRecordsInput): ReceiveRecordsInput['request'] {
  if (records.first === 0 && records.end === header.recordCount) return request
  const last = records.end - 1
  const lastByte = recordStart(header, last) + sealedRecordBytes(header, last) - 1
  const range = `bytes=${recordStart(header, records.first)}-${lastByte}`
  return { ...request, headers: { ...request.headers, range } }
}

async function checkResponse(
  input: ReceiveRecordsInput,
  response: Response,
  signal: AbortSignal,
): Promise<ReceiveOutcome | null> {
  const { header } = input.keys
  const isWhole = input.records.first === 0 && input.records.end === header.recordCount
  if (response.status !== (isWhole ? 200 : 206)) {
    // The body of a full response to a range request is cancelled and not read.
    if (!response.ok) return { kind: 'refused', ...(await bufferResponse(response, signal)) }
    await response.body?.cancel()
    return { kind: 'refused', status: response.status, body: '', retryAfter: null }
  }
  const recordBytes = response.headers.get(shareHeaders.recordBytes)
  if (recordBytes === String(header.recordBytes)) return null
  await response.body?.cancel()
  return { kind: recordBytes && /^[1-9]\d{0,9}$/.test(recordBytes) ? 'other-record-size' : 'no-record-size' }
}

/** Reads a record while the previous one is decrypted and written. */
async function openRecords(
  input: ReceiveRecordsInput,
  reader: ExactReader,
  signal: AbortSignal,
): Promise<ReceiveOutcome> {
  const { keys, records } = input
  const buffers: ArrayBuffer[] = []
  let nextUnwritten = records.first
  let opening: Promise<void> = Promise.resolve()

  const openOne = async (index: number, sealed: Uint8Array<ArrayBuffer>, previous: Promise<void>): Promise<void> => {
    const [plain] = await Promise.all([openRecord(keys, index, sealed), previous])
    const { byteLength } = plain
    // Left to the garbage collector: Chromium retains decrypted bytes after a transfer but no longer counts them.
    await input.sink.write(plain, index * keys.header.recordBytes, sealed)
    buffers.push(sealed.buffer)
    nextUnwritten = index + 1
    input.onOpened(byteLength)
  }

  try {
    for (let index = records.first; index < records.end; index += 1) {
      signal.throwIfAborted()
      const size = sealedRecordBytes(keys.header, index)
      const buffer = buffers.pop() ?? new ArrayBuffer(sealedRecordBytes(keys.header, records.first))
      const sealed = await fillOrEnd(reader, buffer, size, signal)
      if (sealed.length < size) {
        await opening
        return { kind: 'cut', nextRecord: index }
      }
      const previous = opening
      opening = openOne(index, sealed, previous)
      // Awaited in the next iteration or below; until then a rejection must not count as unhandled.
      opening.catch(() => undefined)
      await previous
    }
    await opening
    return (await hasMore(reader, signal)) ? { kind: 'damaged', record: records.end } : { kind: 'complete' }
  } catch (error) {
    if (error instanceof CryptoError) return { kind: 'damaged', record: error.recordIndex ?? nextUnwritten }
    throw error
  } finally {
    reader.cancel().catch((error) => ignore(error, 'nothing more is read'))
  }
}

/** Returns fewer bytes than requested when the connection is lost, as if the stream had ended. */
async function fillOrEnd(
  reader: ExactReader,
  buffer: ArrayBuffer,
  size: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await reader.fill(buffer, size)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    ignore(error, 'a lost connection counts as the end')
    return new Uint8Array(0)
  }
}

async function hasMore(reader: ExactReader, signal: AbortSignal): Promise<boolean> {
  return (await fillOrEnd(reader, new ArrayBuffer(1), 1, signal)).length > 0
}

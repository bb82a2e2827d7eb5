import { performance } from 'node:perf_hooks'
import type { WebSocket } from 'ws'

export interface SendQueueLimits {
  /** A socket with more bytes than this waiting to be read is closed. */
  readonly queuedBytesPerSocket: number
  /** The same for all sockets of the process. */
  readonly queuedBytes: number
  /** How long a socket that is closed for reading too slowly may take to read the close frame. */
  readonly slowCloseMs: number
}

interface SendOptions {
  /** Whether a buffer is sent as a binary frame; the default. */
  readonly binary?: boolean
  /** Called once the bytes have left the process, or the socket is gone. */
  readonly onFlushed?: () => void
}

/** The only way by which messages leave through a socket. */
export interface SendQueue {
  /** Sends one message. A socket that is closed, or reads too slowly, gets nothing. */
  readonly send: (content: string | Buffer, options?: SendOptions) => void
  /** Bytes that have not left the process yet. */
  queuedBytes(): number
  /** How long the other side has taken nothing of what is queued; 0 while nothing is. */
  stalledMs(): number
}

export type SlowReaderCause = 'socket' | 'process'

interface Entry {
  readonly socket: WebSocket
  readonly caller: string
  queued: number
  /** When bytes last left, or the first of them were queued. */
  movedAt: number
}

/** What a queued frame costs besides its content. */
const frameOverheadBytes = 512
const tryAgainLater = 1013

/**
 * Bounds the bytes queued toward sockets. A socket over its own bound is closed with 1013. Over the bound of the
 * process, the costliest and newest sockets of the caller with the most queued bytes are cut until the rest fits.
 */
export function createSendQueues(limits: SendQueueLimits, onSlowReader: (cause: SlowReaderCause) => void) {
  const entries = new Set<Entry>()
  let total = 0

  function release(entry: Entry, bytes: number): void {
    if (!entries.has(entry)) return
    entry.queued -= bytes
    entry.movedAt = performance.now()
    total -= bytes
  }

  function forget(entry: Entry): void {
    if (!entries.delete(entry)) return
    total -= entry.queued
    entry.queued = 0
  }

  function closeSlowReader({ socket }: Entry): void {
    onSlowReader('socket')
    // A paused socket reads no close frame of the other side.
    socket.resume()
    socket.close(tryAgainLater, 'reading too slowly')
    const timer = setTimeout(() => socket.terminate(), limits.slowCloseMs).unref()
    socket.once('close', () => clearTimeout(timer))
  }

  function shed(): void {
    while (total > limits.queuedBytes) {
      const entry = costliestOfHeaviest(entries)
      if (!entry) return
      onSlowReader('process')
      forget(entry)
      entry.socket.close(tryAgainLater, 'reading too slowly')
      entry.socket.terminate()
    }
  }

  /** Counts bytes as queued; the answer releases them once. */
  function enqueue(entry: Entry, bytes: number): () => void {
    if (entry.queued === 0) entry.movedAt = performance.now()
    entry.queued += bytes
    total += bytes
    return () => release(entry, bytes)
  }

  return {
    /** Opens the queue of a socket, for the caller who holds it. The socket's own answers to pings pass it too. */
    open(socket: WebSocket, caller: string): SendQueue {
      const entry: Entry = { socket, caller, queued: 0, movedAt: 0 }
      entries.add(entry)
      socket.once('close', () => forget(entry))
      answerPings(socket, (bytes) => enqueue(entry, bytes))
      return {
        send(content, { binary = typeof content !== 'string', onFlushed } = {}) {
          if (socket.readyState !== socket.OPEN) return
          const flushed = enqueue(entry, Buffer.byteLength(content) + frameOverheadBytes)
          socket.send(content, { binary, compress: false }, () => {
            flushed()
            onFlushed?.()
          })
          if (entry.queued > limits.queuedBytesPerSocket) closeSlowReader(entry)
          shed()
        },
        queuedBytes: () => entry.queued,
        stalledMs: () => (entry.queued === 0 ? 0 : performance.now() - entry.movedAt),
      }
    },
    openSockets: (): number => entries.size,
    queuedBytes: (): number => total,
  }
}

/** Answers the latest ping once the answer before it has left, so that pings nobody reads the answers of cost nothing. */
function answerPings(socket: WebSocket, enqueue: (bytes: number) => () => void): void {
  let isAnswering = false
  let latest: Buffer | null = null
  function answer(): void {
    if (isAnswering || latest === null || socket.readyState !== socket.OPEN) return
    const flushed = enqueue(latest.length + frameOverheadBytes)
    isAnswering = true
    socket.pong(latest, false, () => {
      flushed()
      isAnswering = false
      answer()
    })
    latest = null
  }
  socket.on('ping', (data) => {
    latest = data
    answer()
  })
}

function costliestOfHeaviest(entries: Iterable<Entry>): Entry | null {
  const sums = new Map<string, number>()
  let heaviest = ''
  for (const { caller, queued } of entries) {
    const sum = (sums.get(caller) ?? 0) + queued
    sums.set(caller, sum)
    if (sum > (sums.get(heaviest) ?? 0)) heaviest = caller
  }
  let found: Entry | null = null
  // A set lists the newest last.
  for (const entry of entries) if (entry.caller === heaviest && entry.queued >= (found?.queued ?? 1)) found = entry
  return found
}

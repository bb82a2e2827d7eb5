import { performance } from 'node:perf_hooks'
import type { WebSocket } from 'ws'

export interface SendQueueLimits {
  /** A socket with more unsent bytes than this is closed. */
  readonly queuedBytesPerSocket: number
  /** The limit for all sockets of the process. */
  readonly queuedBytes: number
  /** How long a slow reader may take to read the close frame. */
  readonly slowCloseMs: number
}

interface SendOptions {
  /** Whether to send a buffer as a binary frame; defaults to true. */
  readonly binary?: boolean
  /** Called once the bytes have left the process or the socket is closed. */
  readonly onFlushed?: () => void
}

/** The send queue of a socket. All messages are sent through it. */
export interface SendQueue {
  /** Sends a message; does nothing for a closed socket or a slow reader. */
  readonly send: (content: string | Buffer, options?: SendOptions) => void
  /** Bytes that have not left the process yet. */
  queuedBytes(): number
  /** Milliseconds since queued bytes last left; 0 if none are queued. */
  stalledMs(): number
}

export type SlowReaderCause = 'socket' | 'process'

interface QueueEntry {
  readonly socket: WebSocket
  readonly caller: string
  queued: number
  /** When bytes last left or the first bytes were queued. */
  movedAt: number
}

/** Estimated memory of a queued frame besides its content. */
const frameOverheadBytes = 512
const closeTryAgainLater = 1013

/**
 * Limits the bytes queued for sending on sockets. A socket over its own limit is closed with 1013. Over the limit of
 * the process, the sockets with the most queued bytes of the caller with the most queued bytes are terminated until the
 * rest fits; among equals the newest.
 */
export function createSendQueues(limits: SendQueueLimits, onSlowReader: (cause: SlowReaderCause) => void) {
  const entries = new Set<QueueEntry>()
  let total = 0

  function release(entry: QueueEntry, bytes: number): void {
    if (!entries.has(entry)) return
    entry.queued -= bytes
    entry.movedAt = performance.now()
    total -= bytes
  }

  function remove(entry: QueueEntry): void {
    if (!entries.delete(entry)) return
    total -= entry.queued
    entry.queued = 0
  }

  function closeSlowReader({ socket }: QueueEntry): void {
    onSlowReader('socket')
    // A paused socket does not read the peer's close frame.
    socket.resume()
    socket.close(closeTryAgainLater, 'reading too slowly')
    const timer = setTimeout(() => socket.terminate(), limits.slowCloseMs).unref()
    socket.once('close', () => clearTimeout(timer))
  }

  function terminateHeaviest(): void {
    while (total > limits.queuedBytes) {
      const entry = largestOfHeaviestCaller(entries)
      if (!entry) return
      onSlowReader('process')
      remove(entry)
      entry.socket.close(closeTryAgainLater, 'reading too slowly')
      entry.socket.terminate()
    }
  }

  /** Counts bytes as queued; the returned function releases them. */
  function enqueue(entry: QueueEntry, bytes: number): () => void {
    if (entry.queued === 0) entry.movedAt = performance.now()
    entry.queued += bytes
    total += bytes
    return () => release(entry, bytes)
  }

  return {
    /** Opens the send queue of a socket for the caller that holds it. Pongs are sent through it, too. */
    open(socket: WebSocket, caller: string): SendQueue {
      const entry: QueueEntry = { socket, caller, queued: 0, movedAt: 0 }
      entries.add(entry)
      socket.once('close', () => remove(entry))
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
          terminateHeaviest()
        },
        queuedBytes: () => entry.queued,
        stalledMs: () => (entry.queued === 0 ? 0 : performance.now() - entry.movedAt),
      }
    },
    openSockets: (): number => entries.size,
    queuedBytes: (): number => total,
  }
}

/** Answers the latest ping once the previous pong has left, so that unread pongs do not accumulate. */
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

function largestOfHeaviestCaller(entries: Iterable<QueueEntry>): QueueEntry | null {
  const sums = new Map<string, number>()
  let heaviest = ''
  for (const { caller, queued } of entries) {
    const sum = (sums.get(caller) ?? 0) + queued
    sums.set(caller, sum)
    if (sum > (sums.get(heaviest) ?? 0)) heaviest = caller
  }
  let found: QueueEntry | null = null
  // Sets iterate in insertion order, so the newest is last.
  for (const entry of entries) if (entry.caller === heaviest && entry.queued >= (found?.queued ?? 1)) found = entry
  return found
}

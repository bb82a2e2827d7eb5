import { ignore } from '@sallyport/contract/ignore'
import { portalLimits } from '@sallyport/contract/limits'
import type { WebSocket } from 'ws'
import { type BytePace, createPacedSender } from '../../platform/rate-limit/byte-pace.ts'
import type { SendQueue } from '../../platform/realtime/send-queues.ts'

interface RelayEndDeps {
  readonly socket: WebSocket
  readonly send: SendQueue['send']
  readonly pace: BytePace
  readonly node: string
  /** Sends to the other end. */
  readonly sendToPeer: (content: Buffer) => Promise<void>
  /** Counts a frame and sends it; false when the quota is used up. */
  readonly relayFrame: (bytes: number, frame: Buffer) => Promise<boolean>
}

/** The first byte of what two ends send each other. */
const frameKinds = { hello: 0, text: 1, binary: 2, ack: 3, closed: 4 } as const

const { maxInFlightBytes } = portalLimits.relay
/** Forwarded bytes are acknowledged in batches of this size. */
const ackBatchBytes = maxInFlightBytes / 4

/**
 * One device's end of a pair whose other end may be at another node. At most `maxInFlightBytes` and one frame are in
 * flight between this device and the other one's socket; beyond that this device is not read from until some are
 * acknowledged.
 */
export function createRelayEnd({ socket, send, pace, node, sendToPeer, relayFrame }: RelayEndDeps) {
  let peerNode: string | null = null
  let inFlightBytes = 0
  let unacknowledgedBytes = 0
  /** The close code sent to the other device when this one disconnects; null once the other has disconnected itself. */
  let closeCodeForPeer: number | null = 1000

  const throttle = createPacedSender(pace, updateBackpressure)

  function close(code: number, reason: string): void {
    // A paused socket emits no 'close'; resume it before closing.
    socket.resume()
    socket.close(code, reason)
  }

  function failRelay(error: unknown): void {
    ignore(error, 'the frame could not be passed on, so the devices reconnect')
    close(1011, 'relay failed')
  }

  function sendControl(kind: number, content: Buffer): void {
    sendToPeer(Buffer.concat([Buffer.from([kind]), content])).catch(failRelay)
  }

  const sendHello = (): void => sendControl(frameKinds.hello, Buffer.from(node))

  function closeOverQuota(): void {
    closeCodeForPeer = 1008
    close(1008, 'quota exceeded')
  }

  function updateBackpressure(): void {
    // Unread frames would delay the end of a closing socket.
    if (socket.readyState !== socket.OPEN) return
    if (peerNode !== null && inFlightBytes <= maxInFlightBytes && !throttle.isWaiting()) socket.resume()
    else socket.pause()
  }

  function handleHello(otherNode: string): void {
    const isFirstHello = peerNode === null
    peerNode = otherNode
    // The hello of the end that came first was lost; this answer is not.
    if (isFirstHello) sendHello()
    updateBackpressure()
  }

  function forward(content: Buffer, isBinary: boolean): void {
    const countForwarded = (): void => {
      unacknowledgedBytes += content.length
      if (unacknowledgedBytes < ackBatchBytes) return
      sendControl(frameKinds.ack, uint32(unacknowledgedBytes))
      unacknowledgedBytes = 0
    }
    send(content, { binary: isBinary, onFlushed: countForwarded })
  }

  function handle(message: Buffer): void {
    const content = message.subarray(1)
    switch (message[0]) {
      case frameKinds.hello:
        handleHello(String(content))
        break
      case frameKinds.ack:
        inFlightBytes -= content.readUInt32BE()
        updateBackpressure()
        break
      case frameKinds.closed:
        closeCodeForPeer = null
        close(content.readUInt32BE(), 'peer disconnected')
        break
      default:
        forward(content, message[0] === frameKinds.binary)
    }
  }

  socket.pause()
  socket.on('message', (data: Buffer, isBinary) => {
    if (socket.readyState !== socket.OPEN) return
    inFlightBytes += data.length
    throttle.count(data.length)
    updateBackpressure()
    const kind = isBinary ? frameKinds.binary : frameKinds.text
    relayFrame(data.length, Buffer.concat([Buffer.from([kind]), data])).then(
      (isRelayed) => isRelayed || closeOverQuota(),
      failRelay,
    )
  })
  socket.once('close', () => {
    if (closeCodeForPeer !== null) sendControl(frameKinds.closed, uint32(closeCodeForPeer))
  })

  return {
    /** Sends a hello to the other end, if it is there. */
    sendHello,
    handle,
    close,
    /** The node of the other end; null until it is there. */
    peerNode: (): string | null => peerNode,
  }
}

export type RelayEnd = ReturnType<typeof createRelayEnd>

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

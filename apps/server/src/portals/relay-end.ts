import { portalLimits } from '@sallyport/contract/limits'
import type { WebSocket } from 'ws'
import { type BytePace, createPacedSender } from '../resources/byte-pace.ts'
import type { SendQueue } from '../resources/send-queues.ts'

interface Parts {
  readonly socket: WebSocket
  readonly send: SendQueue['send']
  readonly pace: BytePace
  readonly node: string
  /** Says something to the other end. */
  readonly say: (content: Buffer) => Promise<void>
  /** Counts a frame and says it; false where it may not be carried any more. */
  readonly carry: (bytes: number, frame: Buffer) => Promise<boolean>
}

/** What the first byte between two ends says. */
const kinds = { here: 0, text: 1, binary: 2, taken: 3, gone: 4 } as const

const { underWayBytes } = portalLimits.relay
/** So many bytes handed on are told of at once. */
const toldTogetherBytes = underWayBytes / 4

/**
 * One device's end of a pair whose other end may be at another node. No more than `underWayBytes`, and one frame, are
 * between this device and the other one's socket: then this device is not read from until some have been handed on.
 */
export function createRelayEnd({ socket, send, pace, node, say, carry }: Parts) {
  let across: string | null = null
  let underWay = 0
  let handedOn = 0
  /** What the other device is told when this one has gone; null once it has gone itself. */
  let lastWord: number | null = 1000

  const paced = createPacedSender(pace, paceReading)

  function close(code: number, reason: string): void {
    // Whoever is not read from does not hear that it is over either.
    socket.resume()
    socket.close(code, reason)
  }

  function tell(kind: number, content: Buffer): void {
    say(Buffer.concat([Buffer.from([kind]), content])).catch(() => close(1011, 'not carried'))
  }

  const greet = (): void => tell(kinds.here, Buffer.from(node))

  function useUp(): void {
    lastWord = 1008
    close(1008, 'used up')
  }

  function paceReading(): void {
    if (across !== null && underWay <= underWayBytes && !paced.isWaiting()) socket.resume()
    else socket.pause()
  }

  function meet(otherNode: string): void {
    const isFirstWord = across === null
    across = otherNode
    // Whoever came first was not heard; the answer is.
    if (isFirstWord) greet()
    paceReading()
  }

  function handOn(content: Buffer, isBinary: boolean): void {
    const countHandedOn = (): void => {
      handedOn += content.length
      if (handedOn < toldTogetherBytes) return
      tell(kinds.taken, numbered(handedOn))
      handedOn = 0
    }
    send(content, { binary: isBinary, onFlushed: countHandedOn })
  }

  function hear(said: Buffer): void {
    const content = said.subarray(1)
    switch (said[0]) {
      case kinds.here:
        meet(String(content))
        break
      case kinds.taken:
        underWay -= content.readUInt32BE()
        paceReading()
        break
      case kinds.gone:
        lastWord = null
        close(content.readUInt32BE(), 'the other side has gone')
        break
      default:
        handOn(content, said[0] === kinds.binary)
    }
  }

  socket.pause()
  socket.on('message', (data: Buffer, isBinary) => {
    if (socket.readyState !== socket.OPEN) return
    underWay += data.length
    paced.count(data.length)
    paceReading()
    const kind = isBinary ? kinds.binary : kinds.text
    carry(data.length, Buffer.concat([Buffer.from([kind]), data])).then(
      (isCarried) => isCarried || useUp(),
      () => close(1011, 'not carried'),
    )
  })
  socket.once('close', () => {
    if (lastWord !== null) tell(kinds.gone, numbered(lastWord))
  })

  return {
    /** Tells the other end, if it is there, that this one is. */
    greet,
    hear,
    close,
    /** The node the other end is at; null until it is there. */
    across: (): string | null => across,
  }
}

export type RelayEnd = ReturnType<typeof createRelayEnd>

function numbered(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

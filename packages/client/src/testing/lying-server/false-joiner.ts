import { fromBase64url, toBase64url } from '@sallyport/crypto/portal'
import { startProof } from '../../portal/meeting/proof.ts'
import type { createManualClock } from '../manual-clock.ts'
import { orNull } from './attempt.ts'
import type { ServerSocket } from './fake-socket.ts'
import { guessCode } from './guesses.ts'
import { type LyingServer, origin } from './server.ts'
import { readSignal, type ServerSignal, signalSender } from './signals.ts'

/** How the server comes to a room as the other device. */
export type Arrival =
  /** With a proof of the code that it makes out of all it knows. */
  | { readonly kind: 'proof'; readonly mode: 'pin' | 'link' }
  /** As a device of the basic protocol, with the digits it knows. */
  | { readonly kind: 'legacy' }
  | { readonly kind: 'unproved' }
  | { readonly kind: 'signal'; readonly signal: ServerSignal }

interface FalseJoinerInput {
  readonly server: LyingServer
  readonly room: Extract<ServerSignal, { type: 'room-created' }>
  readonly arrivals: readonly Arrival[]
  readonly clock: ReturnType<typeof createManualClock>
  /** The code that the creator shows; looked at only to take a guess that is wrong, or that no digit is missing from. */
  readonly codeNow: () => string
  /** What the server reads of the link where it was opened; null where it was not. */
  readonly addressNow: () => string | null
}

const mostGuesses = 2
const mostRooms = 6
const nobody = { deviceName: 'Eve', peerId: 'eve' }

/** The server plays the joiner of every room that the creator opens. */
export function createFalseJoiner({ server, room, arrivals, clock, codeNow, addressNow }: FalseJoinerInput) {
  const violations = new Set<string>()
  let rooms = 0
  let guesses = 0
  let hasKeys = false
  let proof: Awaited<ReturnType<typeof startProof>> | null = null

  function accept(socket: ServerSocket): void {
    const send = signalSender(socket, server.calls)
    socket.onReceive = (data) => {
      const said = readSignal(data)
      if (said.type === 'create-room') void arrive(send, said.px?.n ?? '')
      if (said.type === 'px-pake') void orNull(() => answerProof(send, said))
      if (said.type === 'px-admit' && said.ok) violations.add('the server was admitted as a device that knows the code')
      if (said.type === 'px-ice') send({ type: 'px-ice', iceServers: [] })
    }
  }

  type Send = ReturnType<typeof signalSender>

  async function arrive(send: Send, n: string): Promise<void> {
    const before = codeNow()
    send(room)
    // The creator shows the next code; where the server gives the same one again, there is nothing to wait for.
    for (let waits = 0; codeNow() === before && waits < 10; waits += 1) await clock.wait(100)
    const arrival = arrivals[rooms]
    rooms += 1
    if (arrival && rooms <= mostRooms) await orNull(() => come(send, arrival, n))
  }

  async function come(send: Send, arrival: Arrival, n: string): Promise<void> {
    if (arrival.kind === 'signal') return send(arrival.signal)
    if (arrival.kind === 'unproved') return send({ type: 'peer-joined', ...nobody })
    const pin = guess()
    if (arrival.kind === 'legacy') {
      return send({ type: 'peer-joined', ...nobody, px: { classic: true, tail: pin.slice(room.roomCode.length) } })
    }
    const { mode } = arrival
    const secret = new Uint8Array(mode === 'link' ? 16 : 0)
    const place = { origin, prefix: room.roomCode, deviceName: 'Eve' }
    proof = await startProof({ role: 'joiner', mode, pin, secret, n, ...place })
    const { element, associated } = proof.message
    send({ type: 'peer-joined', ...nobody, px: { mode, y: toBase64url(element), ad: toBase64url(associated) } })
  }

  /** An address that was opened may hold the code; where it does not, the prefix is all that is known. */
  function guess(): string {
    const digits = new URL(addressNow() ?? origin).searchParams.get('join')
    return digits ?? guessCode(codeNow(), room.roomCode)
  }

  async function answerProof(send: Send, { y, ad, tag }: { y: string; ad: string; tag: string }): Promise<void> {
    guesses += 1
    if (guesses > mostGuesses)
      violations.add(`the server had more than ${mostGuesses} guesses at the code of one portal`)
    const keys = await proof?.finish({ element: fromBase64url(y), associated: fromBase64url(ad) })
    if (!keys) return
    const isRight = await keys.requireTag(fromBase64url(tag)).then(
      () => true,
      () => false,
    )
    if (isRight) {
      hasKeys = true
      violations.add('the server holds the keys of a portal that was opened')
    }
    send({ type: 'px-confirm', tag: toBase64url(await keys.tag()) })
  }

  return { accept, violations: () => [...violations], hasKeys: () => hasKeys }
}

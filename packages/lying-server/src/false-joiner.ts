import { startPake } from '@sallyport/client/portal/pairing/pake'
import type { createManualClock } from '@sallyport/client/testing/manual-clock'
import { fromBase64url, toBase64url } from '@sallyport/crypto/portal'
import { orNull } from './attempt.ts'
import type { ServerSocket } from './fake-socket.ts'
import { guessCode } from './guesses.ts'
import { type LyingServer, origin } from './server.ts'
import { type AnyServerSignal, createSignalSender, parseSignal } from './signals.ts'

/** How the server joins a room as the other device. */
export type FalseJoin =
  /** With a PAKE of the code, guessed from everything it knows. */
  | { readonly kind: 'proof'; readonly mode: 'pin' | 'link' }
  /** As a legacy device, with the digits it knows. */
  | { readonly kind: 'legacy' }
  | { readonly kind: 'unproved' }
  | { readonly kind: 'signal'; readonly signal: AnyServerSignal }

interface FalseJoinerInput {
  readonly server: LyingServer
  readonly room: Extract<AnyServerSignal, { type: 'room-created' }>
  readonly joins: readonly FalseJoin[]
  readonly clock: ReturnType<typeof createManualClock>
  /** The code that the creator shows. Used only to make a guess that is wrong or complete. */
  readonly currentCode: () => string
  /** The part of the opened link that the server receives; null if it was not opened. */
  readonly currentUrl: () => string | null
}

const maxGuesses = 2
const maxRooms = 6
const attacker = { deviceName: 'Eve', peerId: 'eve' }

/** The server acts as the joiner of every room that the creator opens. */
export function createFalseJoiner({ server, room, joins, clock, currentCode, currentUrl }: FalseJoinerInput) {
  const violations = new Set<string>()
  let rooms = 0
  let guesses = 0
  let hasKeys = false
  let pake: Awaited<ReturnType<typeof startPake>> | null = null

  function accept(socket: ServerSocket): void {
    const send = createSignalSender(socket, server.calls)
    socket.onReceive = (data) => {
      const message = parseSignal(data)
      if (message.type === 'create-room') void joinRoom(send, message.px?.n ?? '')
      if (message.type === 'px-pake') void orNull(() => answerPake(send, message))
      if (message.type === 'px-admit' && message.ok)
        violations.add('the server was admitted as a device that knows the code')
      if (message.type === 'px-ice') send({ type: 'px-ice', iceServers: [] })
    }
  }

  type Send = ReturnType<typeof createSignalSender>

  async function joinRoom(send: Send, n: string): Promise<void> {
    const previousCode = currentCode()
    send(room)
    // Waits until the creator shows the next code, which does not change if the server repeats the prefix.
    for (let waits = 0; currentCode() === previousCode && waits < 10; waits += 1) await clock.wait(100)
    const join = joins[rooms]
    rooms += 1
    if (join && rooms <= maxRooms) await orNull(() => sendJoin(send, join, n))
  }

  async function sendJoin(send: Send, join: FalseJoin, n: string): Promise<void> {
    if (join.kind === 'signal') return send(join.signal)
    if (join.kind === 'unproved') return send({ type: 'peer-joined', ...attacker })
    const pin = guessPin()
    if (join.kind === 'legacy') {
      return send({ type: 'peer-joined', ...attacker, px: { classic: true, tail: pin.slice(room.roomCode.length) } })
    }
    const { mode } = join
    const secret = new Uint8Array(mode === 'link' ? 16 : 0)
    const context = { origin, prefix: room.roomCode, deviceName: 'Eve' }
    pake = await startPake({ role: 'joiner', mode, pin, secret, n, ...context })
    const { element, aad } = pake.message
    send({ type: 'peer-joined', ...attacker, px: { mode, y: toBase64url(element), ad: toBase64url(aad) } })
  }

  /** An opened URL may contain the code; otherwise the server knows only the prefix. */
  function guessPin(): string {
    const digits = new URL(currentUrl() ?? origin).searchParams.get('join')
    return digits ?? guessCode(currentCode(), room.roomCode)
  }

  async function answerPake(send: Send, { y, ad, tag }: { y: string; ad: string; tag: string }): Promise<void> {
    guesses += 1
    if (guesses > maxGuesses) violations.add(`the server had more than ${maxGuesses} guesses at the code of one portal`)
    const keys = await pake?.finish({ element: fromBase64url(y), aad: fromBase64url(ad) })
    if (!keys) return
    const isRight = await keys.requireTag(fromBase64url(tag)).then(
      () => true,
      () => false,
    )
    if (isRight) {
      hasKeys = true
      violations.add('the server has the keys of an opened portal')
    }
    send({ type: 'px-confirm', tag: toBase64url(await keys.tag()) })
  }

  return { accept, violations: () => [...violations], hasKeys: () => hasKeys }
}

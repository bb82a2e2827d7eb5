import { startPake } from '@sallyport/client/portal/pairing/pake'
import { fromBase64url, randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { orNull } from './attempt.ts'
import type { ServerSocket } from './fake-socket.ts'
import { guessCode } from './guesses.ts'
import { type LyingServer, origin } from './server.ts'
import { type AnyServerSignal, createSignalSender, parseSignal } from './signals.ts'

interface FalseCreatorInput {
  readonly server: LyingServer
  /** Results of the successive code lookups; the last one repeats. */
  readonly lookupResults: readonly Extract<AnyServerSignal, { type: 'px-located' }>['result'][]
  /** Sent instead of everything else once the joiner has asked to join. */
  readonly replacement: AnyServerSignal | null
  /** The typed code. Used once the joiner has sent it; before that, only to make a guess that is wrong or complete. */
  readonly code: string
}

/** The server acts as the creator of the room whose code the user types. */
export function createFalseCreator({ server, lookupResults, replacement, code }: FalseCreatorInput) {
  const n = toBase64url(randomBytes(16))
  const state = { hasKeys: false, hasCode: false }
  let knownDigits = ''
  let lookups = 0
  let keys: Awaited<ReturnType<Awaited<ReturnType<typeof startPake>>['finish']>> | null = null

  async function accept(socket: ServerSocket): Promise<void> {
    const send = createSignalSender(socket, server.calls)
    socket.onReceive = (data) => {
      const message = parseSignal(data)
      if (message.type === 'px-locate') {
        knownDigits = message.prefix
        send({ type: 'px-located', result: lookupResults[Math.min(lookups, lookupResults.length - 1)] ?? 'v2', n })
        lookups += 1
      }
      if (message.type === 'join-room' && message.roomCode === code) state.hasCode = true
      if (message.type === 'join-room') void orNull(() => join(send, message.px))
      if (message.type === 'px-confirm') void orNull(() => verifyTag(message.tag))
      if (message.type === 'px-ice') send({ type: 'px-ice', iceServers: [] })
    }
  }

  type Send = ReturnType<typeof createSignalSender>
  type PakeFields = { mode: 'pin' | 'link'; y: string; ad: string }

  async function join(send: Send, px: PakeFields | undefined): Promise<void> {
    if (replacement) return send(replacement)
    send({ type: 'room-joined', peerId: 'joiner' })
    if (!px) return
    const secret = new Uint8Array(px.mode === 'link' ? 16 : 0)
    const context = { origin, prefix: knownDigits, deviceName: 'Eve', n }
    const pin = state.hasCode ? code : guessCode(code, knownDigits)
    const pake = await startPake({ role: 'creator', mode: px.mode, pin, secret, ...context })
    keys = await pake.finish({ element: fromBase64url(px.y), aad: fromBase64url(px.ad) })
    const { element, aad } = pake.message
    const [y, ad, tag] = [element, aad, await keys.tag()].map(toBase64url) as [string, string, string]
    send({ type: 'px-pake', y, ad, tag })
  }

  async function verifyTag(tag: string): Promise<void> {
    await keys?.requireTag(fromBase64url(tag))
    state.hasKeys = keys !== null
  }

  return { accept: (socket: ServerSocket) => void accept(socket), state }
}

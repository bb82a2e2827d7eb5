import { fromBase64url, randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { startProof } from '../../portal/meeting/proof.ts'
import { orNull } from './attempt.ts'
import type { ServerSocket } from './fake-socket.ts'
import { guessCode } from './guesses.ts'
import { type LyingServer, origin } from './server.ts'
import { readSignal, type ServerSignal, signalSender } from './signals.ts'

interface FalseCreatorInput {
  readonly server: LyingServer
  /** What it answers to each question for a code, one after the other; the last one stays. */
  readonly located: readonly Extract<ServerSignal, { type: 'px-located' }>['result'][]
  /** Said in place of everything else once the joiner has asked to join. */
  readonly instead: ServerSignal | null
  /** The code that was typed; used once the joiner has sent it, and before that to take a guess that is wrong or complete. */
  readonly code: string
}

/** The server plays the creator of the room whose code a person types. */
export function createFalseCreator({ server, located, instead, code }: FalseCreatorInput) {
  const n = toBase64url(randomBytes(16))
  const state = { hasKeys: false, wasToldCode: false }
  let known = ''
  let questions = 0
  let finished: Awaited<ReturnType<Awaited<ReturnType<typeof startProof>>['finish']>> | null = null

  async function accept(socket: ServerSocket): Promise<void> {
    const send = signalSender(socket, server.calls)
    socket.onReceive = (data) => {
      const said = readSignal(data)
      if (said.type === 'px-locate') {
        known = said.prefix
        send({ type: 'px-located', result: located[Math.min(questions, located.length - 1)] ?? 'v2', n })
        questions += 1
      }
      if (said.type === 'join-room' && said.roomCode === code) state.wasToldCode = true
      if (said.type === 'join-room') void orNull(() => join(send, said.px))
      if (said.type === 'px-confirm') void orNull(() => check(said.tag))
      if (said.type === 'px-ice') send({ type: 'px-ice', iceServers: [] })
    }
  }

  type Send = ReturnType<typeof signalSender>
  type Proof = { mode: 'pin' | 'link'; y: string; ad: string }

  async function join(send: Send, px: Proof | undefined): Promise<void> {
    if (instead) return send(instead)
    send({ type: 'room-joined', peerId: 'joiner' })
    if (!px) return
    const secret = new Uint8Array(px.mode === 'link' ? 16 : 0)
    const place = { origin, prefix: known, deviceName: 'Eve', n }
    const pin = state.wasToldCode ? code : guessCode(code, known)
    const proof = await startProof({ role: 'creator', mode: px.mode, pin, secret, ...place })
    finished = await proof.finish({ element: fromBase64url(px.y), associated: fromBase64url(px.ad) })
    const { element, associated } = proof.message
    const [y, ad, tag] = [element, associated, await finished.tag()].map(toBase64url) as [string, string, string]
    send({ type: 'px-pake', y, ad, tag })
  }

  async function check(tag: string): Promise<void> {
    await finished?.requireTag(fromBase64url(tag))
    state.hasKeys = finished !== null
  }

  return { accept: (socket: ServerSocket) => void accept(socket), state }
}

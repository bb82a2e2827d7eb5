import { ServerSignal } from '@sallyport/contract/portals'
import fc from 'fast-check'
import type { ServerSocket } from './fake-socket.ts'
import { applyLie } from './lies.ts'
import type { LyingServer } from './server.ts'
import { type AnyServerSignal, anySignal, createSignalSender } from './signals.ts'

type Frame = Uint8Array<ArrayBuffer>

/** A manipulation of one message; messages of both devices are counted together. */
export interface MessageLie {
  readonly nth: number
  readonly kind: 'field' | 'graft' | 'earlier' | 'other' | 'lost' | 'twice' | 'changed' | 'cut'
  readonly seed: number
}

const messageLie = (maxIndex: number, ...kinds: readonly MessageLie['kind'][]): fc.Arbitrary<MessageLie> =>
  fc.record({ nth: fc.nat(maxIndex), kind: fc.constantFrom(...kinds), seed: fc.integer() })

export const signalLies = fc.array(
  messageLie(24, 'field', 'field', 'graft', 'earlier', 'other', 'lost', 'twice', 'cut'),
  {
    maxLength: 3,
  },
)
export const frameLies = fc.array(messageLie(60, 'changed', 'changed', 'lost', 'twice', 'earlier', 'cut'), {
  maxLength: 2,
})

/** Sends the messages of an honest server except for the given lies. */
export function createLyingSignalSender(server: LyingServer, lies: readonly MessageLie[]) {
  const sent: AnyServerSignal[] = []
  return (socket: ServerSocket, honest: AnyServerSignal): void => {
    const send = createSignalSender(socket, server.calls)
    const { kind = null, seed = 0 } = lies.find(({ nth }) => nth === sent.length) ?? {}
    server.seen.add(honest)
    const honestAnswer = { schema: ServerSignal, honest, seen: server.seen, earlier: [...sent] }
    sent.push(honest)
    if (kind === 'cut') socket.close()
    if (kind === 'lost' || kind === 'cut') return
    if (kind === 'twice') send(honest)
    const isOther = kind === 'other'
    const isChanged = kind === 'field' || kind === 'graft' || kind === 'earlier'
    const answer = isChanged ? applyLie({ call: '', nth: 0, kind, seed }, honestAnswer) : { body: honest }
    if (isOther) send(fc.sample(anySignal, { seed, numRuns: 1 })[0] ?? honest)
    else send('body' in answer ? (answer.body as AnyServerSignal) : honest)
  }
}

/** Forwards the frames of a relay except for the given lies. */
export function createLyingForwarder(lies: readonly MessageLie[]) {
  const forwarded: (Frame | string)[] = []
  return (socket: ServerSocket, frame: Frame | string): void => {
    const { kind = null, seed = 0 } = lies.find(({ nth }) => nth === forwarded.length) ?? {}
    const earlier = forwarded[Math.abs(seed) % Math.max(1, forwarded.length)] ?? frame
    forwarded.push(frame)
    if (kind === 'cut') socket.close()
    if (kind === 'lost' || kind === 'cut') return
    if (kind === 'twice') socket.send(frame)
    const isChanged = kind === 'changed' && typeof frame !== 'string'
    const other = kind === 'earlier' ? earlier : frame
    socket.send(isChanged ? flipBit(frame, seed) : other)
  }
}

function flipBit(frame: Frame, seed: number): Frame {
  const copy = frame.slice()
  const index = Math.abs(seed) % Math.max(1, copy.length)
  copy[index] = (copy[index] ?? 0) ^ 1
  return copy
}

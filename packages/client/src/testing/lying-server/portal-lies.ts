import { SignalTold } from '@sallyport/contract/portals'
import fc from 'fast-check'
import type { ServerSocket } from './fake-socket.ts'
import { tell } from './lies.ts'
import type { LyingServer } from './server.ts'
import { anySignal, type ServerSignal, signalSender } from './signals.ts'

type Frame = Uint8Array<ArrayBuffer>

/** What happens to one message on its way, counted over both devices. */
export interface MessageLie {
  readonly nth: number
  readonly kind: 'field' | 'graft' | 'earlier' | 'other' | 'lost' | 'twice' | 'changed' | 'cut'
  readonly seed: number
}

const lie = (most: number, ...kinds: readonly MessageLie['kind'][]): fc.Arbitrary<MessageLie> =>
  fc.record({ nth: fc.nat(most), kind: fc.constantFrom(...kinds), seed: fc.integer() })

export const signalLies = fc.array(lie(24, 'field', 'field', 'graft', 'earlier', 'other', 'lost', 'twice', 'cut'), {
  maxLength: 3,
})
export const frameLies = fc.array(lie(60, 'changed', 'changed', 'lost', 'twice', 'earlier', 'cut'), { maxLength: 2 })

/** Sends the messages of an honest server but for the given lies. */
export function createSignalTeller(server: LyingServer, lies: readonly MessageLie[]) {
  const sent: ServerSignal[] = []
  return (socket: ServerSocket, honest: ServerSignal): void => {
    const send = signalSender(socket, server.calls)
    const { kind = null, seed = 0 } = lies.find(({ nth }) => nth === sent.length) ?? {}
    server.seen.add(honest)
    const truth = { schema: SignalTold, honest, seen: server.seen, earlier: [...sent] }
    sent.push(honest)
    if (kind === 'cut') socket.close()
    if (kind === 'lost' || kind === 'cut') return
    if (kind === 'twice') send(honest)
    const isOther = kind === 'other'
    const isChanged = kind === 'field' || kind === 'graft' || kind === 'earlier'
    const told = isChanged ? tell({ call: '', nth: 0, kind, seed }, truth) : { body: honest }
    if (isOther) send(fc.sample(anySignal, { seed, numRuns: 1 })[0] ?? honest)
    else send('body' in told ? (told.body as ServerSignal) : honest)
  }
}

/** Passes the frames of a relay on but for the given lies. */
export function createFramePasser(lies: readonly MessageLie[]) {
  const passed: (Frame | string)[] = []
  return (socket: ServerSocket, frame: Frame | string): void => {
    const { kind = null, seed = 0 } = lies.find(({ nth }) => nth === passed.length) ?? {}
    const earlier = passed[Math.abs(seed) % Math.max(1, passed.length)] ?? frame
    passed.push(frame)
    if (kind === 'cut') socket.close()
    if (kind === 'lost' || kind === 'cut') return
    if (kind === 'twice') socket.send(frame)
    const isChanged = kind === 'changed' && typeof frame !== 'string'
    const other = kind === 'earlier' ? earlier : frame
    socket.send(isChanged ? flipped(frame, seed) : other)
  }
}

function flipped(frame: Frame, seed: number): Frame {
  const copy = frame.slice()
  const place = Math.abs(seed) % Math.max(1, copy.length)
  copy[place] = (copy[place] ?? 0) ^ 1
  return copy
}

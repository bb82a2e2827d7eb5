import { resourceLimits } from '@sallyport/contract/server-limits'
import { createConnections } from './connections.ts'
import { createFairSlots } from './fair-slots.ts'
import { createGatheredBytes } from './gathered-bytes.ts'
import { createSendQueues } from './send-queues.ts'
import { createUnsentAnswers } from './unsent-answers.ts'

/** The same names as the limits of the contract, with any number. */
type Adjustable<Limits> = {
  readonly [Name in keyof Limits]: Limits[Name] extends number ? number : Adjustable<Limits[Name]>
}

export type ResourceLimits = Adjustable<typeof resourceLimits>
export type SocketKind = keyof ResourceLimits['sockets']

/** Why something was cut or refused for the sake of the process. */
export const resourceCauses = [
  'slow-reader',
  'queued-bytes',
  'unsent-answers',
  'stalled-answer',
  'sockets',
  'connections',
  'late-body',
] as const
export type ResourceCause = (typeof resourceCauses)[number]

/** The bounds of this process, shared by everything that takes memory or connections of it. */
export function createResources(limits: ResourceLimits = resourceLimits, trustedProxies: readonly string[] = []) {
  const cuts = new Map<ResourceCause, number>()
  let relayed = 0
  const countCut = (cause: ResourceCause): void => void cuts.set(cause, (cuts.get(cause) ?? 0) + 1)
  const slotsFor = (kind: SocketKind) => createFairSlots(limits.sockets[kind], () => countCut('sockets'))

  return {
    limits,
    gathering: createGatheredBytes(limits.gatheredBytes),
    answers: createUnsentAnswers(limits.unsentAnswerBytes, () => countCut('unsent-answers')),
    connections: createConnections({ limits, trustedProxies, onRefused: () => countCut('connections') }),
    sends: createSendQueues(limits, (cause) => countCut(cause === 'socket' ? 'slow-reader' : 'queued-bytes')),
    sockets: {
      live: slotsFor('live'),
      signalling: slotsFor('signalling'),
      relay: slotsFor('relay'),
      uploads: slotsFor('uploads'),
    },
    countCut,
    countRelayed(bytes: number): void {
      relayed += bytes
    },
    relayedBytes: (): number => relayed,
    /** How often something was cut or refused for a cause. */
    cuts: (cause: ResourceCause): number => cuts.get(cause) ?? 0,
  }
}

export type Resources = ReturnType<typeof createResources>

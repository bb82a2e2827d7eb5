import { resourceLimits } from '@sallyport/contract/server-limits'
import { createConnections } from '../http/limits/connections.ts'
import { createPipelining } from '../http/limits/pipelining.ts'
import { createUnsentResponses } from '../http/limits/unsent-responses.ts'
import { createSendQueues } from '../realtime/send-queues.ts'
import { createWriteBufferBudget } from '../storage/write-buffer-budget.ts'
import { createFairSlots } from './fair-slots.ts'

/** The limits of the contract with other numbers. */
type Adjustable<Limits> = {
  readonly [Name in keyof Limits]: Limits[Name] extends number ? number : Adjustable<Limits[Name]>
}

export type ResourceLimits = Adjustable<typeof resourceLimits>
export type SocketKind = keyof ResourceLimits['sockets']

/** Why a connection, socket or request was closed or rejected. */
export const resourceCauses = [
  'slow-reader',
  'queued-bytes',
  'unsent-answers',
  'stalled-answer',
  'sockets',
  'connections',
  'pipelined',
  'late-body',
] as const
export type ResourceCause = (typeof resourceCauses)[number]

/** The resource limits of this process, shared by everything that uses memory or connections. */
export function createResources(limits: ResourceLimits = resourceLimits, trustedProxies: readonly string[] = []) {
  const cuts = new Map<ResourceCause, number>()
  let relayed = 0
  const countCut = (cause: ResourceCause): void => void cuts.set(cause, (cuts.get(cause) ?? 0) + 1)
  const connections = createConnections({ limits, trustedProxies, onRejected: () => countCut('connections') })
  const slotsFor = (kind: SocketKind) => createFairSlots(limits.sockets[kind], () => countCut('sockets'))

  return {
    limits,
    writeBuffers: createWriteBufferBudget(limits.bufferedUploadBytes),
    unsentResponses: createUnsentResponses(limits.unsentResponseBytes, () => countCut('unsent-answers')),
    connections,
    pipelining: createPipelining({ limits, callerOf: connections.callerOf, onCut: () => countCut('pipelined') }),
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
    /** Number of closed or rejected connections, sockets and requests per cause. */
    cuts: (cause: ResourceCause): number => cuts.get(cause) ?? 0,
  }
}

export type Resources = ReturnType<typeof createResources>

import { createCaller } from '../../call.ts'
import type { Link } from '../../portal/channel.ts'
import type { OpenDirect } from '../../portal/meeting/direct-attempt.ts'
import { createPortal, type Portal, type PortalParts } from '../../portal/portal.ts'
import type { createManualClock } from '../manual-clock.ts'
import { createLinkPair, memorySink, seeded } from '../portal-link.ts'
import { createSocketOpener, type ServerSocket } from './fake-socket.ts'
import { createLyingServer, type LyingServer, origin, type ServerRequest } from './server.ts'

/** Makes the client's portal; a planted fault makes another one. */
export type OpenPortal = (parts: PortalParts) => Portal

interface DeviceInput {
  readonly server: LyingServer
  readonly accept: (socket: ServerSocket) => void
  readonly clock: ReturnType<typeof createManualClock>
  readonly deviceName: string
  /** Whether the person goes on with a device that has proved nothing. */
  readonly isConfirming: boolean
  readonly openDirect: OpenDirect
  readonly open?: OpenPortal | undefined
}

/** A device with the real portal client, and what it asked its person and was sent. */
export function createDevice(input: DeviceInput) {
  const { server, accept, clock, deviceName, isConfirming, openDirect, open = createPortal } = input
  const asked = { count: 0 }
  const received: ReturnType<typeof memorySink>['state'][] = []
  const portal = open({
    call: createCaller({ baseUrl: origin, accessToken: async () => null, fetch: server.fetch, clock }),
    origin,
    clock,
    deviceName,
    openDirect,
    openSocket: createSocketOpener(server.transcript, accept),
    hasRoomFor: async () => true,
    sinkOf: () => {
      const { state, sink } = memorySink()
      received.push(state)
      return sink
    },
    async confirmUnverified() {
      asked.count += 1
      return isConfirming
    },
  })
  return { portal, asked, received }
}

/** The calls of portals, answered honestly. */
export const servePortalCalls = ({ name }: ServerRequest): unknown => {
  if (name === 'POST /api/portals/tickets') return { success: true, ticket: 'ticket' }
  throw new Error(`A portal does not call ${name}`)
}

export const createPortalServer = (lies: LyingServer['lies'] = []): LyingServer =>
  createLyingServer({ honest: servePortalCalls, lies })

/** A direct connection that never opens. */
export const noDirect: OpenDirect = () => ({
  link: new Promise<Link>(() => undefined),
  hear: () => undefined,
  tryAgain: () => undefined,
  close: () => undefined,
})

/** A direct connection to a device of the basic protocol that the server itself plays. */
export function directToServer(clock: ReturnType<typeof createManualClock>): OpenDirect {
  return () => {
    const [near, far] = createLinkPair({ clock, random: seeded(1) })
    far.main.send(JSON.stringify({ type: 'connection-ready' }))
    return { link: Promise.resolve(near), hear: () => undefined, tryAgain: () => undefined, close: () => near.close() }
  }
}

import { createCaller } from '@sallyport/client/call'
import type { Link } from '@sallyport/client/portal/channel'
import type { OpenDirect } from '@sallyport/client/portal/pairing/connector'
import { createPortal, type PortalDeps } from '@sallyport/client/portal/portal'
import type { Portal } from '@sallyport/client/portal/portal-state'
import type { createManualClock } from '@sallyport/client/testing/manual-clock'
import { createLinkPair, memorySink, seeded } from '@sallyport/client/testing/portal-link'
import { createSocketOpener, type ServerSocket } from './fake-socket.ts'
import { createLyingServer, type LyingServer, origin, type ServerRequest } from './server.ts'

/** Creates the portal of the client; a planted fault replaces it. */
export type OpenPortal = (deps: PortalDeps) => Portal

interface DeviceInput {
  readonly server: LyingServer
  readonly accept: (socket: ServerSocket) => void
  readonly clock: ReturnType<typeof createManualClock>
  readonly deviceName: string
  /** Whether the user confirms an unverified device. */
  readonly confirmsUnverified: boolean
  readonly openDirect: OpenDirect
  readonly open?: OpenPortal | undefined
}

/** A device with the real portal client, the number of questions to its user and the received files. */
export function createDevice(input: DeviceInput) {
  const { server, accept, clock, deviceName, confirmsUnverified, openDirect, open = createPortal } = input
  const questions = { count: 0 }
  const received: ReturnType<typeof memorySink>['state'][] = []
  const portal = open({
    call: createCaller({ baseUrl: origin, getAccessToken: async () => null, fetch: server.fetch, clock }),
    origin,
    clock,
    deviceName,
    openDirect,
    openSocket: createSocketOpener(server.transcript, accept),
    hasFreeSpaceFor: async () => true,
    createSink: () => {
      const { state, sink } = memorySink()
      received.push(state)
      return sink
    },
    async confirmUnverified() {
      questions.count += 1
      return confirmsUnverified
    },
  })
  return { portal, questions, received }
}

/** Answers the calls of portals honestly. */
export const servePortalCalls = ({ name }: ServerRequest): unknown => {
  if (name === 'POST /api/portals/tickets') return { success: true, ticket: 'ticket' }
  throw new Error(`Unexpected call ${name}`)
}

export const createPortalServer = (lies: LyingServer['lies'] = []): LyingServer =>
  createLyingServer({ honest: servePortalCalls, lies })

/** A direct connection that never opens. */
export const noDirect: OpenDirect = () => ({
  link: new Promise<Link>(() => undefined),
  handleSignal: () => undefined,
  retryIceRestart: () => undefined,
  close: () => undefined,
})

/** A direct connection to a legacy device that the server emulates. */
export function directToServer(clock: ReturnType<typeof createManualClock>): OpenDirect {
  return () => {
    const [near, far] = createLinkPair({ clock, random: seeded(1) })
    far.main.send(JSON.stringify({ type: 'connection-ready' }))
    return {
      link: Promise.resolve(near),
      handleSignal: () => undefined,
      retryIceRestart: () => undefined,
      close: () => near.close(),
    }
  }
}

import fc from 'fast-check'
import type { PortalOptions } from '../../portal/meeting/options.ts'
import type { Invitation } from '../../portal/meeting/room-code.ts'
import { createManualClock } from '../manual-clock.ts'
import { settle } from '../portal-bytes.ts'
import { coveredCalls } from './covered-calls.ts'
import { type Arrival, createFalseJoiner } from './false-joiner.ts'
import type { Flow, Report } from './flow.ts'
import { createDevice, createPortalServer, directToServer, type OpenPortal } from './portal-client.ts'
import { anySignal, arbitrarySignal, type ServerSignal } from './signals.ts'

export interface CreatorCase {
  readonly room: Extract<ServerSignal, { type: 'room-created' }>
  /** Who comes to the first room, to the second, and so on. */
  readonly arrivals: readonly Arrival[]
  readonly options: PortalOptions
  readonly isConfirming: boolean
}

const honestRoom = { type: 'room-created', roomCode: '42', peerId: 'creator' } as const
const openToAll: PortalOptions = { verifiedOnly: false, linkOnly: false, relayOnly: false }

const arrivals: fc.Arbitrary<Arrival> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'proof', mode: 'pin' } as const) },
  fc.constant({ kind: 'proof', mode: 'link' } as const),
  fc.constant({ kind: 'legacy' } as const),
  { weight: 2, arbitrary: fc.constant({ kind: 'unproved' } as const) },
  anySignal.map((signal) => ({ kind: 'signal', signal }) as const),
)

const withPin: Arrival = { kind: 'proof', mode: 'pin' }
const known: readonly CreatorCase[] = [
  // The server chooses the whole code, or all but three digits of it.
  { room: { ...honestRoom, roomCode: '427391' }, arrivals: [withPin], options: openToAll, isConfirming: false },
  { room: { ...honestRoom, roomCode: '427' }, arrivals: [withPin], options: openToAll, isConfirming: false },
  // It guesses at one code after the other.
  { room: honestRoom, arrivals: Array(5).fill(withPin), options: openToAll, isConfirming: false },
  // It comes as a device that proves nothing.
  { room: honestRoom, arrivals: [{ kind: 'unproved' }], options: openToAll, isConfirming: false },
]

interface CreatorFlow {
  readonly open?: OpenPortal
  /** The address of the link to a portal, where it is opened as well: its server reads all but the fragment. */
  readonly linkTo?: (invitation: Invitation) => string
}

/** A person opens a portal and waits; the server answers what it likes and comes as the other device itself. */
export const portalCreatorFlow = ({ open, linkTo }: CreatorFlow = {}): Flow<CreatorCase> => ({
  name: linkTo ? 'portal, its link opened at a server that joins it' : 'portal, opened at a server that joins it',
  calls: coveredCalls['portal, opened at a server that joins it'],
  honest: { room: honestRoom, arrivals: [], options: openToAll, isConfirming: false },
  known,
  cases: fc.record({
    room: fc.oneof(fc.constant(honestRoom), arbitrarySignal('room-created')),
    arrivals: fc.array(arrivals, { minLength: 1, maxLength: 5 }),
    options: fc.oneof(
      fc.constant(openToAll),
      fc.record({ verifiedOnly: fc.boolean(), linkOnly: fc.boolean(), relayOnly: fc.boolean() }),
    ),
    isConfirming: fc.boolean(),
  }),
  async run({ room, arrivals: coming, options, isConfirming }): Promise<Report> {
    const server = createPortalServer()
    const clock = createManualClock()
    const codes = new Set<string>()
    const secrets: Record<string, string | Uint8Array> = {}
    const openDirect = directToServer(clock)
    const attacker = createFalseJoiner({ server, room, arrivals: coming, clock, codeNow, addressNow })
    const device = createDevice({
      server,
      accept: attacker.accept,
      clock,
      deviceName: 'Laptop',
      isConfirming,
      openDirect,
      open,
    })
    const { portal, asked } = device

    function codeNow(): string {
      return portal.state.current().invitation?.pin ?? ''
    }
    function addressNow(): string | null {
      const { invitation } = portal.state.current()
      if (!linkTo || !invitation || !('secret' in invitation)) return null
      const [address = ''] = linkTo(invitation).split('#')
      server.transcript.requested(address)
      return address
    }
    let isComplete = false
    portal.state.subscribe(() => {
      const { invitation } = portal.state.current()
      if (!invitation || !('secret' in invitation)) return
      isComplete = /^\d{6,8}$/.test(invitation.pin)
      codes.add(invitation.pin)
      secrets['the secret of the link'] = invitation.secret
    })

    portal.create(options)
    await settle(clock, clock.wait(15_000))
    const { isConnected, proved } = portal.state.current()
    const violations = [...attacker.violations()]
    if (isConnected && proved && !attacker.hasKeys()) violations.push('a portal is shown as proved and nothing was')
    if (isConnected && !proved && asked.count === 0) violations.push('a device that proved nothing was let in unasked')
    if (isConnected && !proved && (options.verifiedOnly || options.linkOnly)) violations.push('an option was ignored')
    portal.close()
    for (const [index, code] of [...codes].entries()) secrets[`code ${index + 1} of the portal`] = code
    return { server, secrets, violations, isComplete }
  },
})

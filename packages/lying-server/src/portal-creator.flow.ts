import type { Invitation, PortalOptions } from '@sallyport/client/portal/pairing/room-code'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { runUntilSettled } from '@sallyport/client/testing/portal-bytes'
import fc from 'fast-check'
import { coveredCalls } from './covered-calls.ts'
import { createFalseJoiner, type FalseJoin } from './false-joiner.ts'
import type { Flow, FlowReport } from './flow.ts'
import { createDevice, createPortalServer, directToServer, type OpenPortal } from './portal-client.ts'
import { type AnyServerSignal, anySignal, arbitrarySignal } from './signals.ts'

export interface CreatorCase {
  readonly room: Extract<AnyServerSignal, { type: 'room-created' }>
  /** How the server joins the first room, the second and so on. */
  readonly joins: readonly FalseJoin[]
  readonly options: PortalOptions
  readonly confirmsUnverified: boolean
}

const honestRoom = { type: 'room-created', roomCode: '42', peerId: 'creator' } as const
const defaultOptions: PortalOptions = { verifiedOnly: false, linkOnly: false, relayOnly: false }

const anyJoin: fc.Arbitrary<FalseJoin> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'proof', mode: 'pin' } as const) },
  fc.constant({ kind: 'proof', mode: 'link' } as const),
  fc.constant({ kind: 'legacy' } as const),
  { weight: 2, arbitrary: fc.constant({ kind: 'unproved' } as const) },
  anySignal.map((signal) => ({ kind: 'signal', signal }) as const),
)

const pinJoin: FalseJoin = { kind: 'proof', mode: 'pin' }
const fixedCases: readonly CreatorCase[] = [
  // The server chooses the whole code or all but three digits.
  { room: { ...honestRoom, roomCode: '427391' }, joins: [pinJoin], options: defaultOptions, confirmsUnverified: false },
  { room: { ...honestRoom, roomCode: '427' }, joins: [pinJoin], options: defaultOptions, confirmsUnverified: false },
  // It guesses one code after the other.
  { room: honestRoom, joins: Array(5).fill(pinJoin), options: defaultOptions, confirmsUnverified: false },
  // It joins without a proof.
  { room: honestRoom, joins: [{ kind: 'unproved' }], options: defaultOptions, confirmsUnverified: false },
]

interface CreatorFlowInput {
  readonly open?: OpenPortal
  /** The link to a portal, if the flow opens it; the server receives all but the fragment. */
  readonly linkTo?: (invitation: Invitation) => string
}

/** A user opens a portal and waits; the server answers arbitrarily and joins as the other device. */
export const portalCreatorFlow = ({ open, linkTo }: CreatorFlowInput = {}): Flow<CreatorCase> => ({
  name: linkTo
    ? 'portal, its link opened at a server that joins it as the other device'
    : 'portal, created at a server that joins it as the other device',
  calls: coveredCalls['portal, created at a server that joins it as the other device'],
  honest: { room: honestRoom, joins: [], options: defaultOptions, confirmsUnverified: false },
  fixedCases,
  cases: fc.record({
    room: fc.oneof(fc.constant(honestRoom), arbitrarySignal('room-created')),
    joins: fc.array(anyJoin, { minLength: 1, maxLength: 5 }),
    options: fc.oneof(
      fc.constant(defaultOptions),
      fc.record({ verifiedOnly: fc.boolean(), linkOnly: fc.boolean(), relayOnly: fc.boolean() }),
    ),
    confirmsUnverified: fc.boolean(),
  }),
  async run({ room, joins: serverJoins, options, confirmsUnverified }): Promise<FlowReport> {
    const server = createPortalServer()
    const clock = createManualClock()
    const codes = new Set<string>()
    const secrets: Record<string, string | Uint8Array> = {}
    const openDirect = directToServer(clock)
    const attacker = createFalseJoiner({ server, room, joins: serverJoins, clock, currentCode, currentUrl })
    const device = createDevice({
      server,
      accept: attacker.accept,
      clock,
      deviceName: 'Laptop',
      confirmsUnverified,
      openDirect,
      open,
    })
    const { portal, questions } = device

    function currentCode(): string {
      return portal.state.current().invitation?.pin ?? ''
    }
    function currentUrl(): string | null {
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
      secrets['the link secret'] = invitation.secret
    })

    portal.create(options)
    await runUntilSettled(clock, clock.wait(15_000))
    const { isConnected, verifiedBy } = portal.state.current()
    const violations = [...attacker.violations()]
    if (isConnected && verifiedBy && !attacker.hasKeys())
      violations.push('a portal is shown as verified without a proof')
    if (isConnected && !verifiedBy && questions.count === 0)
      violations.push('an unverified device was connected without confirmation')
    if (isConnected && !verifiedBy && (options.verifiedOnly || options.linkOnly))
      violations.push('an option was ignored')
    portal.close()
    for (const [index, code] of [...codes].entries()) secrets[`code ${index + 1} of the portal`] = code
    return { server, secrets, violations, isComplete }
  },
})

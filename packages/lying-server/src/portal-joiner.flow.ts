import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { runUntilSettled } from '@sallyport/client/testing/portal-bytes'
import { randomBytes } from '@sallyport/crypto/portal'
import fc from 'fast-check'
import { coveredCalls } from './covered-calls.ts'
import { createFalseCreator } from './false-creator.ts'
import type { Flow, FlowReport } from './flow.ts'
import { createDevice, createPortalServer, directToServer, type OpenPortal } from './portal-client.ts'
import { type AnyServerSignal, anySignal, arbitrarySignal } from './signals.ts'

type LookupResult = Extract<AnyServerSignal, { type: 'px-located' }>['result']

export interface JoinerCase {
  readonly lookupResults: readonly LookupResult[]
  readonly replacement: AnyServerSignal | null
  readonly isByLink: boolean
  readonly confirmsUnverified: boolean
}

const code = '427391'

/** A user types a code or opens a link, once for each lookup result; the server acts as the other device. */
export const portalJoinerFlow = (open?: OpenPortal): Flow<JoinerCase> => ({
  name: 'portal, joined at a server that acts as its creator',
  calls: coveredCalls['portal, joined at a server that acts as its creator'],
  honest: { lookupResults: ['v2'], replacement: null, isByLink: false, confirmsUnverified: false },
  // The server reuses the digits that it received for a legacy room as the code of a verified one.
  fixedCases: [{ lookupResults: ['classic', 'v2'], replacement: null, isByLink: false, confirmsUnverified: true }],
  cases: fc.record({
    lookupResults: fc.array(
      arbitrarySignal('px-located').map(({ result }) => result),
      { minLength: 1, maxLength: 3 },
    ),
    replacement: fc.option(anySignal, { freq: 4 }),
    isByLink: fc.boolean(),
    confirmsUnverified: fc.boolean(),
  }),
  async run({ lookupResults, replacement, isByLink, confirmsUnverified }): Promise<FlowReport> {
    const server = createPortalServer()
    const clock = createManualClock()
    const attacker = createFalseCreator({ server, lookupResults, replacement, code })
    const openDirect = directToServer(clock)
    const device = createDevice({
      server,
      accept: attacker.accept,
      clock,
      deviceName: 'Phone',
      confirmsUnverified,
      openDirect,
      open,
    })
    const { portal, questions } = device
    const secret = randomBytes(16)

    const violations: string[] = []
    let isComplete = true
    for (const _ of lookupResults) {
      portal.join(isByLink ? { prefix: code.slice(0, 2), secret } : { pin: code })
      await runUntilSettled(clock, clock.wait(15_000))
      const { isConnected, verifiedBy, error } = portal.state.current()
      portal.close()
      isComplete &&= error !== null
      if (isConnected && verifiedBy && !attacker.state.hasKeys)
        violations.push('a portal is shown as verified without a proof')
      if (isConnected && !verifiedBy && !isConfirmed())
        violations.push('an unverified portal was joined without confirmation')
    }

    const wasConfirmed = isConfirmed()
    if (attacker.state.hasKeys) violations.push('the server has the keys of a joined portal')
    if (attacker.state.hasCode && !wasConfirmed)
      violations.push('the server received the whole code without confirmation')
    const secrets = { 'the link secret': secret, ...(!wasConfirmed && { 'the code': code }) }
    return { server, secrets, violations, isComplete }

    function isConfirmed(): boolean {
      return questions.count > 0 && confirmsUnverified && !isByLink
    }
  },
})

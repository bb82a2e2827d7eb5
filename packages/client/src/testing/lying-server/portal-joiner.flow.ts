import { randomBytes } from '@sallyport/crypto/portal'
import fc from 'fast-check'
import { createManualClock } from '../manual-clock.ts'
import { settle } from '../portal-bytes.ts'
import { coveredCalls } from './covered-calls.ts'
import { createFalseCreator } from './false-creator.ts'
import type { Flow, Report } from './flow.ts'
import { createDevice, createPortalServer, directToServer, type OpenPortal } from './portal-client.ts'
import { anySignal, arbitrarySignal, type ServerSignal } from './signals.ts'

type Located = Extract<ServerSignal, { type: 'px-located' }>['result']

export interface JoinerCase {
  readonly located: readonly Located[]
  readonly instead: ServerSignal | null
  readonly isByLink: boolean
  readonly isConfirming: boolean
}

const code = '427391'

/** A person types a code, or follows a link, once for each answer to where it leads; the server plays the other device. */
export const portalJoinerFlow = (open?: OpenPortal): Flow<JoinerCase> => ({
  name: 'portal, joined at a server that plays its creator',
  calls: coveredCalls['portal, joined at a server that plays its creator'],
  honest: { located: ['v2'], instead: null, isByLink: false, isConfirming: false },
  // The digits that a legacy room was given are the code of the room that the server opens next.
  known: [{ located: ['classic', 'v2'], instead: null, isByLink: false, isConfirming: true }],
  cases: fc.record({
    located: fc.array(
      arbitrarySignal('px-located').map(({ result }) => result),
      { minLength: 1, maxLength: 3 },
    ),
    instead: fc.option(anySignal, { freq: 4 }),
    isByLink: fc.boolean(),
    isConfirming: fc.boolean(),
  }),
  async run({ located, instead, isByLink, isConfirming }): Promise<Report> {
    const server = createPortalServer()
    const clock = createManualClock()
    const attacker = createFalseCreator({ server, located, instead, code })
    const openDirect = directToServer(clock)
    const device = createDevice({
      server,
      accept: attacker.accept,
      clock,
      deviceName: 'Phone',
      isConfirming,
      openDirect,
      open,
    })
    const { portal, asked } = device
    const secret = randomBytes(16)

    const violations: string[] = []
    let isComplete = true
    for (const _ of located) {
      portal.join(isByLink ? { prefix: code.slice(0, 2), secret } : { pin: code })
      await settle(clock, clock.wait(15_000))
      const { isConnected, proved, trouble } = portal.state.current()
      portal.close()
      isComplete &&= trouble !== null
      if (isConnected && proved && !attacker.state.hasKeys)
        violations.push('a portal is shown as proved and nothing was')
      if (isConnected && !proved && !isAgreed()) violations.push('a portal without proof was entered unasked')
    }

    const wasAgreed = isAgreed()
    if (attacker.state.hasKeys) violations.push('the server holds the keys of a portal that was joined')
    if (attacker.state.wasToldCode && !wasAgreed) violations.push('the server was told the whole code unasked')
    const secrets = { 'the secret of the link': secret, ...(!wasAgreed && { 'the code': code }) }
    return { server, secrets, violations, isComplete }

    function isAgreed(): boolean {
      return asked.count > 0 && isConfirming && !isByLink
    }
  },
})

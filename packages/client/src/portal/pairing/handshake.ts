import { ignore } from '@sallyport/contract/ignore'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import { type Clock, raceDeadline } from '../../clock.ts'
import { createMessageBuffer, type Link, withTimeoutError } from '../channel.ts'
import { parseLegacyMessage } from '../legacy/legacy-messages.ts'

interface HandshakeOptions {
  readonly link: Link
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Whether the other device is unverified: a legacy peer sends its only ready message once, and it may be lost. */
  readonly mayBeLegacy: boolean
  /** Called when the other device closes the portal. */
  readonly onClosed: () => void
}

const resendIntervalMs = 2000

/**
 * Both devices announce that they are ready and whether they support the fast protocol; Sallyport does so five times. A
 * peer that may be legacy and whose channel is open is assumed to be ready after the time of the specification. All
 * other messages of the main channel are buffered for the handler that the result's `onMessage` sets.
 */
export async function performHandshake({ link, clock, signal, mayBeLegacy, onClosed }: HandshakeOptions) {
  const ready = Promise.withResolvers<'fast' | 'legacy'>()
  const { deliver, onMessage } = createMessageBuffer()

  link.main.onMessage((data) => {
    const message = typeof data === 'string' ? parseLegacyMessage(data) : null
    if (message?.type === 'connection-ready') ready.resolve(message.px === 2 ? 'fast' : 'legacy')
    else if (message?.type === 'portal-closed') onClosed()
    else deliver(data)
  })

  /** The main channel is not fully reliable, and this message must not be lost. */
  async function sendReadyRepeatedly(ended: AbortSignal): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      link.main.send(JSON.stringify({ type: 'connection-ready', px: 2 }))
      await clock.wait(resendIntervalMs, ended)
    }
  }

  /** Chromium sometimes loses a message that is sent at the moment its channel opens. */
  async function assumeReadyAfterTimeout(ended: AbortSignal): Promise<void> {
    await clock.wait(legacyPortalLimits.readyBeforeSendMs, ended)
    ready.resolve('legacy')
  }

  const ending = AbortSignal.any([signal, link.lost])
  const ignoreEnded = (error: unknown) => ignore(error, 'the link was lost')
  sendReadyRepeatedly(ending).catch(ignoreEnded)
  if (mayBeLegacy) assumeReadyAfterTimeout(ending).catch(ignoreEnded)
  const profile = await withTimeoutError(
    raceDeadline(ready.promise, { clock, timeoutMs: legacyPortalLimits.readyMs, signal: ending }),
    'CONNECTION_TIMEOUT',
  )
  return { profile, onMessage }
}

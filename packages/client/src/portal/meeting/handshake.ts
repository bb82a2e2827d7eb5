import { classicPortalLimits } from '@sallyport/contract/limits'
import type { Bytes } from '@sallyport/crypto/portal'
import { type Clock, isTimeout, unlessAborted, withDeadline } from '../../clock.ts'
import { type Link, PortalError } from '../channel.ts'
import { readClassicMessage } from '../classic/classic-messages.ts'
import { portalTexts } from '../texts.ts'

interface Parts {
  readonly link: Link
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Whether nothing was proved: it may be a device that says only once that it is ready, in a message that got lost. */
  readonly mayBeBasic: boolean
  /** Told of the other device's goodbye. */
  readonly onClosed: () => void
}

const sayAgainMs = 2000

/**
 * Both devices say that they are ready, and with it whether they know the better protocol; ours do so five times. One
 * that may be basic and whose channel stands is taken to be ready after the time of the specification. Everything else
 * that comes over the main channel goes to `hear` of the answer, once it is set.
 */
export async function shakeHands({ link, clock, signal, mayBeBasic, onClosed }: Parts) {
  const ready = Promise.withResolvers<'fast' | 'basic'>()
  const kept: (string | Bytes)[] = []
  let hear: ((data: string | Bytes) => void) | null = null
  const say = () => link.main.send(JSON.stringify({ type: 'connection-ready', px: 2 }))

  link.main.listen((data) => {
    const message = typeof data === 'string' ? readClassicMessage(data) : null
    if (message?.type === 'connection-ready') ready.resolve(message.px === 2 ? 'fast' : 'basic')
    else if (message?.type === 'portal-closed') onClosed()
    else if (hear) hear(data)
    else kept.push(data)
  })

  /** The channel of the specification may lose a message; this one must not be missed. */
  async function sayOften(ended: AbortSignal): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      say()
      await clock.wait(sayAgainMs, ended)
    }
  }

  /** Chromium itself loses, at times, what a device says in the moment in which its channel opens. */
  async function takeSilenceForReady(ended: AbortSignal): Promise<void> {
    await clock.wait(classicPortalLimits.readyBeforeSendMs, ended)
    ready.resolve('basic')
  }

  const ending = AbortSignal.any([signal, link.lost])
  sayOften(ending).catch(() => undefined)
  if (mayBeBasic) takeSilenceForReady(ending).catch(() => undefined)
  try {
    const profile = await withDeadline({ clock, timeoutMs: classicPortalLimits.readyMs, signal: ending }, (ended) =>
      unlessAborted(ready.promise, ended),
    )
    return {
      profile,
      listen(next: (data: string | Bytes) => void): void {
        hear = next
        for (const data of kept.splice(0)) next(data)
      },
    }
  } catch (error) {
    throw isTimeout(error) ? new PortalError(portalTexts.connectionTimeout) : error
  }
}

import { classicPortalLimits } from '@sallyport/contract/limits'
import { fromBase64url, randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { isTimeout, unlessAborted, withDeadline } from '../../clock.ts'
import { type OutgoingFile, PortalError } from '../channel.ts'
import type { ExchangeStateKeeper } from '../exchange-state.ts'
import { offeredFiles } from '../placed-files.ts'
import { portalTexts } from '../texts.ts'
import type { ExchangeParts, KeyedLink } from './exchange-parts.ts'
import type { FastMessage, RejectReason, Said } from './fast-messages.ts'
import { createFastSender, createOutgoing, type Outgoing } from './fast-send.ts'
import { departureOf } from './taken-up.ts'

/** A transfer of an earlier page. */
export interface Broken {
  readonly tid: string
  readonly secret: string
}

interface Parts extends ExchangeParts {
  /** The link that stands, or the next one. */
  readonly lined: () => Promise<KeyedLink>
}

interface Round {
  readonly outgoing: Outgoing
  readonly progress: ReturnType<ExchangeStateKeeper['follow']>
  readonly isAccepted: boolean
  /** Aborted when nobody wants the files to go any more. */
  readonly given: AbortSignal
}

const goneForMs = 10 * 60_000

/** Offers files to the other device and sends them, over one link after the other. */
export function createDeparting({ clock, notes, peerName, follow, say, over, isForLater, lined }: Parts) {
  let sender: { readonly tid: string; hear(message: FastMessage): void } | null = null
  let cancel: () => void = () => undefined

  /** Answers whether the offer stands accepted; comes back early when the link is lost. */
  async function sendOver(
    { link, keys }: KeyedLink,
    { outgoing, progress, isAccepted, given }: Round,
  ): Promise<boolean> {
    const { tid, files, chunk } = outgoing
    const signal = AbortSignal.any([given, link.lost])
    const answer = Promise.withResolvers<Said<'px-accept'>>()
    answer.promise.catch(() => undefined)
    const machine = createFastSender({
      outgoing,
      link,
      clock,
      signal,
      wrapKey: keys.wrap,
      onProgress(file, bytes) {
        progress.progress(file, bytes)
        notes.progress(tid, progress.bytes())
      },
    })
    sender = {
      tid,
      hear(message) {
        if (message.type === 'px-accept') answer.resolve(message)
        if (message.type === 'px-reject') answer.reject(new PortalError(refusalOf(message.reason)))
        machine.hear(message)
      },
    }
    try {
      const proof = await keys.wrap(outgoing.secret)
      say({ type: 'px-offer', tid, files: offeredFiles(files), chunk, block: 1_048_576, proof })
      const timeoutMs = classicPortalLimits.acceptTimeoutMs
      const { have = [] } = await withDeadline({ clock, timeoutMs, signal }, (ended) =>
        unlessAborted(answer.promise, ended),
      )
      if (!isAccepted) {
        progress.show({ phase: 'encrypting' })
        await notes.depart(departureOf(outgoing, peerName), files)
      }
      await machine.run(have)
      return true
    } catch (error) {
      if (link.lost.aborted && !given.aborted) return isAccepted
      throw isTimeout(error) ? new PortalError(portalTexts.rejected) : error
    }
  }

  return {
    /** Settles when the other device has all files whole; with `broken` it goes on with what an earlier page has begun. */
    async send(files: readonly OutgoingFile[], broken?: Broken): Promise<void> {
      const secret = broken && fromBase64url(broken.secret)
      const outgoing = createOutgoing(broken?.tid ?? toBase64url(randomBytes(16)), files, secret)
      const { tid } = outgoing
      const progress = follow('sending', files, 'asking')
      const cancelled = new AbortController()
      const given = AbortSignal.any([over, cancelled.signal])
      cancel = () => {
        say({ type: 'px-cancel', tid, code: 'user' })
        cancelled.abort(new PortalError(portalTexts.cancelled))
      }
      try {
        let isAccepted = false
        while (outgoing.done.size < files.length) {
          const present = await withDeadline({ clock, timeoutMs: goneForMs, signal: given }, lined)
          isAccepted = await sendOver(present, { outgoing, progress, isAccepted, given })
        }
        await notes.end(tid)
        progress.complete()
      } catch (error) {
        if (!isForLater()) await notes.end(tid)
        const known = isTimeout(error) ? new PortalError(portalTexts.channelLost) : error
        progress.fail(known)
        throw known
      } finally {
        sender = null
        cancel = () => undefined
      }
    },
    hear(message: FastMessage & { readonly tid: string }): void {
      if (message.tid === sender?.tid) sender.hear(message)
    },
    cancel: () => cancel(),
  }
}

const refusalOf = (reason: RejectReason): string => (reason === 'no-space' ? portalTexts.noSpace : portalTexts.rejected)

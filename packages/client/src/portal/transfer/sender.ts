import { ignore } from '@sallyport/contract/ignore'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import { fromBase64url, randomBytes, toBase64url } from '@sallyport/crypto/portal'
import { raceAbort, raceDeadline } from '../../clock.ts'
import { type OutgoingFile, withTimeoutError } from '../channel.ts'
import { PortalError } from '../errors.ts'
import type { ExchangeStateStore } from '../exchange-state.ts'
import type { ExchangeContext, KeyedLink } from './exchange-context.ts'
import type { FastMessage, FastMessageOf } from './fast-messages.ts'
import { createLinkSender, createOutgoingTransfer, type OutgoingTransfer } from './link-sender.ts'
import { toOfferedFiles } from './offered-files.ts'
import type { PersistedOutgoing } from './transfer-journal.ts'

/** A transfer that an earlier page started to send. */
export type InterruptedTransfer = Pick<PersistedOutgoing, 'tid' | 'secret'>

interface SenderDeps extends ExchangeContext {
  /** Resolves with the open link, or with the next one. */
  readonly waitForLink: () => Promise<KeyedLink>
}

interface SendAttempt {
  readonly outgoing: OutgoingTransfer
  readonly progress: ReturnType<ExchangeStateStore['trackTransfer']>
  readonly isAccepted: boolean
  /** Aborted when the transfer is cancelled or the portal ends. */
  readonly cancelSignal: AbortSignal
}

/** Offers files to the other device and sends them, and resumes over each new link. */
export function createSender(deps: SenderDeps) {
  const { clock, journal, peerName, trackTransfer, sendMessage, stopSignal, isResumable, waitForLink } = deps
  let active: { readonly tid: string; handleMessage(message: FastMessage): void } | null = null
  let cancel: () => void = () => undefined

  /** Resolves with whether the offer was accepted; returns early when the link is lost. */
  async function sendOver(
    { link, keys }: KeyedLink,
    { outgoing, progress, isAccepted, cancelSignal }: SendAttempt,
  ): Promise<boolean> {
    const { tid, files, chunk } = outgoing
    const signal = AbortSignal.any([cancelSignal, link.lost])
    const answer = Promise.withResolvers<FastMessageOf<'px-accept'>>()
    answer.promise.catch((error) => ignore(error, 'the attempt that awaits the answer rejects with it'))
    const linkSender = createLinkSender({
      outgoing,
      link,
      clock,
      signal,
      wrapKey: keys.wrap,
      onProgress(file, bytes, isEarlier) {
        progress.report(file, bytes, isEarlier)
        journal.saveProgress(tid, progress.bytes())
      },
    })
    active = {
      tid,
      handleMessage(message) {
        if (message.type === 'px-accept') answer.resolve(message)
        if (message.type === 'px-reject')
          answer.reject(new PortalError(message.reason === 'no-space' ? 'NO_SPACE' : 'REJECTED'))
        linkSender.handleMessage(message)
      },
    }
    try {
      const proof = await keys.wrap(outgoing.secret)
      sendMessage({ type: 'px-offer', tid, files: toOfferedFiles(files), chunk, block: 1_048_576, proof })
      const timeoutMs = legacyPortalLimits.acceptTimeoutMs
      const accepted = raceDeadline(answer.promise, { clock, timeoutMs, signal })
      const { have = [] } = await withTimeoutError(accepted, 'REJECTED')
      if (!isAccepted) {
        progress.update({ phase: 'encrypting' })
        await journal.saveOutgoing(toPersistedOutgoing(outgoing, peerName), files)
      }
      await linkSender.run(have)
      return true
    } catch (error) {
      if (link.lost.aborted && !cancelSignal.aborted) return isAccepted
      throw error
    }
  }

  return {
    /** Resolves when the other device has all files. With `interrupted` it resumes the transfer of an earlier page. */
    async send(files: readonly OutgoingFile[], interrupted?: InterruptedTransfer): Promise<void> {
      const secret = interrupted && fromBase64url(interrupted.secret)
      const outgoing = createOutgoingTransfer(interrupted?.tid ?? toBase64url(randomBytes(16)), files, secret)
      const { tid } = outgoing
      const progress = trackTransfer('sending', files, 'asking')
      const cancelController = new AbortController()
      const cancelSignal = AbortSignal.any([stopSignal, cancelController.signal])
      cancel = () => {
        sendMessage({ type: 'px-cancel', tid, code: 'user' })
        cancelController.abort(new PortalError('CANCELLED'))
      }
      try {
        let isAccepted = false
        while (outgoing.done.size < files.length) {
          // Without a deadline: the portal ends when no link opens for too long, and keeps what can be resumed.
          const keyedLink = await raceAbort(waitForLink(), cancelSignal)
          isAccepted = await sendOver(keyedLink, { outgoing, progress, isAccepted, cancelSignal })
        }
        await journal.remove(tid)
        progress.complete()
      } catch (error) {
        if (!isResumable()) await journal.remove(tid)
        progress.fail(error)
        throw error
      } finally {
        active = null
        cancel = () => undefined
      }
    },
    handleMessage(message: FastMessage & { readonly tid: string }): void {
      if (message.tid === active?.tid) active.handleMessage(message)
    },
    cancel: () => cancel(),
  }
}

const toPersistedOutgoing = ({ tid, secret, files }: OutgoingTransfer, peerName: string): PersistedOutgoing => ({
  tid,
  peerName,
  secret: toBase64url(secret),
  files: files.map(({ name, path, size, modifiedAt }) => ({ name, path, size, modifiedAt: modifiedAt ?? 0 })),
})

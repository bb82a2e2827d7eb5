import { ignore } from '@sallyport/contract/ignore'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import type { RelayedSignal } from '@sallyport/contract/portals'
import { safeFileName } from '@sallyport/crypto'
import type { Bytes } from '@sallyport/crypto/portal'
import { type Clock, isTimeout, raceDeadline } from '../../clock.ts'
import type { FileOffer, Link, OutgoingFile } from '../channel.ts'
import { PortalError } from '../errors.ts'
import { createExchangeState, createOfferPrompt, type Exchange, type ReceiveStorage } from '../exchange-state.ts'
import { type LegacyMessage, parseLegacyMessage } from './legacy-messages.ts'
import { createLegacyReceiver } from './legacy-receive.ts'
import { sendLegacyFile } from './legacy-send.ts'

interface LegacyExchangeDeps extends ReceiveStorage {
  readonly link: Link
  readonly clock: Clock
  /** Sends offers and answers, which the legacy protocol carries over the signalling socket. */
  readonly sendSignal: (message: RelayedSignal) => void
}

export interface LegacyExchange extends Exchange {
  handleSignal(message: RelayedSignal): void
  handleMessage(data: string | Bytes): void
}

/** The specification's protocol, for a peer that does not announce the fast one. Files are sent one at a time. */
export function createLegacyExchange(deps: LegacyExchangeDeps): LegacyExchange {
  const { link, clock, createSink, sendSignal } = deps
  const state = createExchangeState(clock)
  const prompt = createOfferPrompt({ ...deps, ...state })
  const stopController = new AbortController()
  let sendController: AbortController | null = null
  let resolveAnswer: ((isAccepted: boolean) => void) | null = null
  let receiver: ReturnType<typeof createLegacyReceiver> | null = null

  const sendMessage = (message: LegacyMessage) => link.main.send(JSON.stringify(message))

  async function sendFile(file: OutgoingFile): Promise<void> {
    const progress = state.trackTransfer('sending', [file], 'asking')
    const controller = new AbortController()
    sendController = controller
    const signal = AbortSignal.any([stopController.signal, controller.signal])
    try {
      const { name: fileName, size: fileSize, mime: fileType } = file
      const answer = Promise.withResolvers<boolean>()
      resolveAnswer = answer.resolve
      sendSignal({ type: 'file-offer', fileName, fileSize, fileType, isEncrypted: true })
      if (!(await waitForAnswer(answer.promise, signal))) throw new PortalError('REJECTED')
      progress.update({ phase: 'encrypting' })
      const onProgress = (bytes: number) => progress.report(0, bytes)
      await sendLegacyFile({ file, main: link.main, clock, signal, onProgress })
      progress.complete()
    } catch (error) {
      progress.fail(error)
      if (!signal.aborted) sendMessage({ type: 'transfer-reset' })
      throw error
    } finally {
      sendController = null
      resolveAnswer = null
    }
  }

  /** A timeout counts as a rejection. */
  async function waitForAnswer(answer: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    try {
      return await raceDeadline(answer, { clock, timeoutMs: legacyPortalLimits.acceptTimeoutMs, signal })
    } catch (error) {
      if (isTimeout(error)) return false
      throw error
    }
  }

  function handleOffer({ fileName, fileSize, fileType }: Extract<RelayedSignal, { type: 'file-offer' }>): void {
    if (prompt.isPending() || !Number.isSafeInteger(fileSize)) {
      sendSignal({ type: 'file-reject' })
      return
    }
    const offer = { name: fileName, size: fileSize, mime: fileType }
    const respond: Parameters<typeof prompt.ask>[1] = (answer) => {
      if (answer === 'accepted') receive(offer)
      else if (answer !== 'withdrawn') sendSignal({ type: 'file-reject' })
    }
    // Signals over the server may overtake the last messages over the link.
    prompt
      .ask([withSafeName(offer)], respond, receiver?.done)
      .catch((error) => ignore(error, 'an offer whose size could not be checked expires'))
  }

  function receive(offer: FileOffer): void {
    const progress = state.trackTransfer('receiving', [withSafeName(offer)], 'transferring')
    const current = createLegacyReceiver({
      offer,
      sink: createSink(withSafeName(offer)),
      onProgress: (bytes) => progress.report(0, bytes),
    })
    receiver = current
    current.done
      .then(progress.complete, (error: unknown) => {
        progress.fail(error)
        if (!stopController.signal.aborted) sendMessage({ type: 'transfer-reset' })
      })
      .finally(() => {
        if (receiver === current) receiver = null
      })
    sendSignal({ type: 'file-accept' })
  }

  return {
    state: state.subject,
    async send(files) {
      for (const file of files) await sendFile(file)
    },
    answer: prompt.answer,
    cancel(direction) {
      const error = new PortalError('CANCELLED')
      if (direction === 'receiving') return receiver?.stop(error)
      if (!sendController) return
      sendMessage({ type: 'transfer-reset' })
      sendController.abort(error)
    },
    stop(error) {
      stopController.abort(error)
      receiver?.stop(error)
      prompt.withdraw()
    },
    handleSignal(message) {
      if (message.type === 'file-offer') handleOffer(message)
      if (message.type === 'file-accept') resolveAnswer?.(true)
      if (message.type === 'file-reject') resolveAnswer?.(false)
    },
    handleMessage(data) {
      if (typeof data !== 'string') receiver?.handleChunk(data)
      const message = typeof data === 'string' ? parseLegacyMessage(data) : null
      if (message?.type === 'encryption-key') receiver?.handleKey(message)
      if (message?.type === 'transfer-complete') receiver?.handleEnd()
      if (message?.type !== 'transfer-reset') return
      const error = new PortalError('PEER_RESET')
      sendController?.abort(error)
      receiver?.stop(error)
      prompt.withdraw()
    },
  }
}

/** The key message of a file names it as offered; the user interface and the disk get a safe name. */
const withSafeName = (offer: FileOffer): FileOffer => ({ ...offer, name: safeFileName(offer.name) })

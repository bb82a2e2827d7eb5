import type { Clock } from '../../clock.ts'
import type { Link, OutgoingFile } from '../channel.ts'
import { createExchangeState, type Exchange, type ReceiveStorage } from '../exchange-state.ts'
import type { KeyedLink, KeyWrap } from './exchange-context.ts'
import { type FastMessage, parseFastMessage } from './fast-messages.ts'
import { createReceiver } from './receiver.ts'
import { createSender, type InterruptedTransfer } from './sender.ts'
import { noJournal, type TransferJournal } from './transfer-journal.ts'

interface FastExchangeDeps extends ReceiveStorage {
  readonly clock: Clock
  readonly journal?: TransferJournal
  /** The name of the other device. */
  readonly peerName?: string
}

export interface FastExchange extends Exchange {
  /** Starts or resumes transfers over this link, with the keys negotiated over it. */
  attach(link: Link, keys: KeyWrap): void
  /** Resumes a transfer that an earlier page started to send, with the same files; otherwise like `send`. */
  resume(interrupted: InterruptedTransfer, files: readonly OutgoingFile[]): Promise<void>
}

/** The fast protocol between two Sallyport devices. A transfer survives a lost link and resumes over the next one. */
export function createFastExchange(deps: FastExchangeDeps): FastExchange {
  const { clock, journal = noJournal, peerName = '' } = deps
  const state = createExchangeState(clock)
  const stopController = new AbortController()
  let keyedLink: KeyedLink | null = null
  let nextLink = Promise.withResolvers<KeyedLink>()
  let isStoppedResumable = false

  const shared = {
    ...deps,
    ...state,
    journal,
    peerName,
    sendMessage: (message: FastMessage) => keyedLink?.link.control.send(JSON.stringify(message)),
    stopSignal: stopController.signal,
    isResumable: () => isStoppedResumable,
  }
  const sender = createSender({ ...shared, waitForLink: () => nextLink.promise })
  const receiver = createReceiver({ ...shared, currentLink: () => keyedLink })

  function handleMessage(text: string): void {
    const message = parseFastMessage(text)
    if (!message || !('tid' in message)) return
    sender.handleMessage(message)
    receiver.handleMessage(message)
  }

  return {
    state: state.subject,
    send: (files) => sender.send(files),
    resume: (interrupted, files) => sender.send(files, interrupted),
    answer: receiver.answer,
    cancel: (direction) => (direction === 'sending' ? sender : receiver).cancel(),
    attach(link, keys) {
      if (link.lost.aborted) return
      const next = { link, keys }
      keyedLink = next
      nextLink.resolve(next)
      link.lost.addEventListener('abort', () => {
        if (keyedLink !== next) return
        keyedLink = null
        nextLink = Promise.withResolvers()
      })
      link.control.onMessage((data) => {
        if (typeof data === 'string') handleMessage(data)
      })
      link.bulk.onMessage((data) => {
        if (typeof data !== 'string') receiver.handleFrame(data)
      })
    },
    stop(error, canResume = false) {
      isStoppedResumable = canResume
      stopController.abort(error)
      receiver.stop(error)
    },
  }
}

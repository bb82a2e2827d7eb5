import type { Clock } from '../../clock.ts'
import type { Link, OutgoingFile } from '../channel.ts'
import { createExchangeState, type Exchange, type Shelf } from '../exchange-state.ts'
import { createArriving } from './arriving.ts'
import { type Broken, createDeparting } from './departing.ts'
import type { KeyedLink, KeyWrap } from './exchange-parts.ts'
import { type FastMessage, readFastMessage } from './fast-messages.ts'
import { noNotes, type TransferNotes } from './transfer-notes.ts'

interface Parts extends Shelf {
  readonly clock: Clock
  readonly notes?: TransferNotes
  /** What the other device is called. */
  readonly peerName?: string
}

export interface FastExchange extends Exchange {
  /** Goes on over this link, with whatever was under way, and with the keys that belong to the link. */
  attach(link: Link, keys: KeyWrap): void
  /** Goes on with what an earlier page has begun to send, with the same files. Otherwise like `send`. */
  goOn(broken: Broken, files: readonly OutgoingFile[]): Promise<void>
}

/** The protocol between two of ours. A transfer outlives the link it began on, and goes on over the next one. */
export function createFastExchange(parts: Parts): FastExchange {
  const { clock, notes = noNotes, peerName = '' } = parts
  const state = createExchangeState(clock)
  const over = new AbortController()
  let line: KeyedLink | null = null
  let lined = Promise.withResolvers<KeyedLink>()
  let isKeptForLater = false

  const say = (message: FastMessage) => line?.link.control.send(JSON.stringify(message))
  const isForLater = () => isKeptForLater
  const both = { ...parts, ...state, clock, notes, peerName, say, over: over.signal, isForLater }
  const departing = createDeparting({ ...both, lined: () => lined.promise })
  const arriving = createArriving({ ...both, line: () => line })

  function hear(text: string): void {
    const message = readFastMessage(text)
    if (!message || !('tid' in message)) return
    departing.hear(message)
    arriving.hear(message)
  }

  return {
    state: state.subject,
    send: (files) => departing.send(files),
    goOn: (broken, files) => departing.send(files, broken),
    answer: arriving.answer,
    cancel: (direction) => (direction === 'sending' ? departing : arriving).cancel(),
    attach(link, keys) {
      if (link.lost.aborted) return
      const next = { link, keys }
      line = next
      lined.resolve(next)
      link.lost.addEventListener('abort', () => {
        if (line !== next) return
        line = null
        lined = Promise.withResolvers()
      })
      link.control.listen((data) => {
        if (typeof data === 'string') hear(data)
      })
      link.bulk.listen((data) => {
        if (typeof data !== 'string') arriving.takeFrame(data)
      })
    },
    stop(error, isKept = false) {
      isKeptForLater = isKept
      over.abort(error)
      arriving.stop(error)
    },
  }
}

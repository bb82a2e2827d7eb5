import { ApiError } from '@sallyport/client/errors'
import { createSubject, type Observable } from '@sallyport/client/observable'
import type { OpenedMessage, SealedMessage } from '@sallyport/crypto'

/** A message on its way. */
export interface Outgoing extends OpenedMessage {
  /** Null until it is sealed; tells it from what others send. */
  readonly encryptedKey: string | null
}

export interface ComposerState {
  readonly draft: string
  readonly outgoing: Outgoing | null
}

export interface Composer extends Observable<ComposerState> {
  readonly write: (draft: string) => void
  /** Sends the draft. Does nothing while it is blank or while another message is on its way. */
  readonly send: () => Promise<void>
}

interface Parts<Kept> {
  readonly seal: (message: OpenedMessage) => Promise<SealedMessage>
  readonly deliver: (sealed: SealedMessage) => Promise<Kept>
  readonly onDelivered: (message: Kept, opened: OpenedMessage) => void
  readonly onFailure: (error: unknown) => void
  readonly now: () => number
}

export const canSend = ({ draft, outgoing }: ComposerState): boolean => outgoing === null && draft.trim() !== ''

/** The draft and the one message that is on its way, whatever screen is shown. What cannot be sent is given back. */
export function createComposer<Kept>({ seal, deliver, onDelivered, onFailure, now }: Parts<Kept>): Composer {
  const state = createSubject<ComposerState>({ draft: '', outgoing: null })
  let held: { readonly opened: OpenedMessage; readonly sealed: SealedMessage } | null = null

  /** What may have arrived though no answer came is sent as it was: the server keeps the very same message once. */
  async function sealOnce(opened: OpenedMessage) {
    held = held?.opened.text === opened.text ? held : { opened, sealed: await seal(opened) }
    return held
  }

  async function send(): Promise<void> {
    if (!canSend(state.current())) return
    const { draft } = state.current()
    const text = draft.trimEnd()
    state.set({ draft: '', outgoing: { text, sentAt: now(), encryptedKey: null } })
    try {
      const { opened, sealed } = await sealOnce({ text, sentAt: now() })
      const { encryptedKey } = sealed
      state.set({ ...state.current(), outgoing: { ...opened, encryptedKey } })
      onDelivered(await deliver(sealed), opened)
      held = null
      await nextTask()
      state.set({ ...state.current(), outgoing: null })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CONFLICT') held = null
      const writtenSince = state.current().draft
      state.set({ draft: writtenSince === '' ? draft : `${draft}\n${writtenSince}`, outgoing: null })
      onFailure(error)
    }
  }

  return {
    current: state.current,
    subscribe: state.subscribe,
    write: (draft) => state.set({ ...state.current(), draft }),
    send,
  }
}

/** Lists are drawn one task after they have changed: the message must be among them before it ceases to be on its way. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve)
  })

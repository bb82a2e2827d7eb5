import { ApiError } from '@sallyport/client/errors'
import { createSubject, type Observable } from '@sallyport/client/observable'
import type { OpenedMessage, SealedMessage } from '@sallyport/crypto'

/** A message that is being sent. */
export interface OutgoingMessage extends OpenedMessage {
  /** Null until it is encrypted. Identifies the message in the list. */
  readonly encryptedKey: string | null
}

export interface ComposerState {
  readonly draft: string
  readonly outgoing: OutgoingMessage | null
}

export interface Composer extends Observable<ComposerState> {
  readonly setDraft: (draft: string) => void
  /** Sends the draft. Does nothing while it is blank or while another message is being sent. */
  readonly send: () => Promise<void>
}

interface ComposerDeps<Delivered> {
  readonly seal: (message: OpenedMessage) => Promise<SealedMessage>
  readonly deliver: (sealed: SealedMessage) => Promise<Delivered>
  readonly onDelivered: (message: Delivered, plain: OpenedMessage) => void
  readonly onFailure: (error: unknown) => void
  readonly now: () => number
}

export const canSend = ({ draft, outgoing }: ComposerState): boolean => outgoing === null && draft.trim() !== ''

/** Holds the draft and the message being sent, on every screen. A failed message returns to the draft. */
export function createComposer<Message>({
  seal,
  deliver,
  onDelivered,
  onFailure,
  now,
}: ComposerDeps<Message>): Composer {
  const state = createSubject<ComposerState>({ draft: '', outgoing: null })
  let pending: { readonly opened: OpenedMessage; readonly sealed: SealedMessage } | null = null

  /**
   * Reuses the encrypted message when the same text is sent again. A request without a response may have been
   * processed, and the server stores an identical message once.
   */
  async function encryptOnce(opened: OpenedMessage) {
    pending = pending?.opened.text === opened.text ? pending : { opened, sealed: await seal(opened) }
    return pending
  }

  async function send(): Promise<void> {
    if (!canSend(state.current())) return
    const { draft } = state.current()
    const text = draft.trimEnd()
    state.set({ draft: '', outgoing: { text, sentAt: now(), encryptedKey: null } })
    try {
      const { opened, sealed } = await encryptOnce({ text, sentAt: now() })
      const { encryptedKey } = sealed
      state.set({ ...state.current(), outgoing: { ...opened, encryptedKey } })
      onDelivered(await deliver(sealed), opened)
      pending = null
      await nextTask()
      state.set({ ...state.current(), outgoing: null })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CONFLICT') pending = null
      const newDraft = state.current().draft
      state.set({ draft: newDraft === '' ? draft : `${draft}\n${newDraft}`, outgoing: null })
      onFailure(error)
    }
  }

  return {
    current: state.current,
    subscribe: state.subscribe,
    setDraft: (draft) => state.set({ ...state.current(), draft }),
    send,
  }
}

/**
 * Waits for the next task: the list renders one task after a change, and it must contain the message before the
 * outgoing one is removed.
 */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve)
  })

import { createSubject, type Observable } from '@sallyport/client/observable'

/** Counts the messages that arrive while the user does not see the chat. */
export interface UnreadMessages extends Observable<number> {
  readonly add: () => void
  /** Called whenever the chat becomes visible to the user or ceases to be; what has arrived is read when it is shown. */
  readonly setChatVisible: (isVisible: boolean) => void
}

export function createUnreadMessages(): UnreadMessages {
  const count = createSubject(0)
  let isVisible = false
  return {
    current: count.current,
    subscribe: count.subscribe,
    add() {
      if (!isVisible) count.set(count.current() + 1)
    },
    setChatVisible(next) {
      isVisible = next
      if (isVisible) count.set(0)
    },
  }
}

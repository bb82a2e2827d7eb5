import { createSubject, type Observable } from '@sallyport/client/observable'
import type { Asking } from '@sallyport/client/sessions/ask-admission'
import type { AdmissionDesk, Admitting, Knocking } from '@sallyport/client/sessions/give-admission'
import type { RoomRelay } from './room-relay.ts'

/** Lets newcomers into a private session. */
export interface RoomDesk extends Observable<readonly Knocking[]> {
  /** Null where there is no key to hand over. */
  readonly admit: (knocking: Knocking) => Promise<Admitting | null>
}

interface Parts {
  readonly relay: RoomRelay
  readonly origin: string
  readonly sessionId: string
}

export interface RoomAdmissions {
  readonly desk: RoomDesk
  /** Opens the desk, for whoever holds the secret. */
  readonly open: (linkSecret: Uint8Array) => Promise<void>
  /** Asks the members for the secret. */
  readonly ask: () => Promise<Asking>
  readonly stop: () => void
}

/** Both sides of being let into a private session; what they need is loaded by whoever needs it. */
export function createRoomAdmissions({ relay, origin, sessionId }: Parts): RoomAdmissions {
  const knocking = createSubject<readonly Knocking[]>([])
  let desk: AdmissionDesk | null = null
  return {
    desk: {
      current: knocking.current,
      subscribe: knocking.subscribe,
      admit: async (one) => (desk ? desk.admit(one) : null),
    },
    async open(linkSecret) {
      const { openAdmissionDesk } = await import('@sallyport/client/sessions/give-admission')
      const opened = openAdmissionDesk({ relay, origin, sessionId, linkSecret })
      opened.subscribe(() => knocking.set(opened.current()))
      desk = opened
      relay.catchUp()
    },
    async ask() {
      const { askForAdmission } = await import('@sallyport/client/sessions/ask-admission')
      return askForAdmission({ relay, origin, sessionId })
    },
    stop: () => desk?.stop(),
  }
}

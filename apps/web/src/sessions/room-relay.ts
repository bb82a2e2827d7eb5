import type { AdmissionRelay } from '@sallyport/client/sessions/admission-pieces'
import type { Admission } from '@sallyport/contract/session-shapes'
import type { RoomCalls } from './room-calls.ts'

export interface RoomRelay extends AdmissionRelay {
  /** Takes a piece that was told of. */
  readonly hear: (admission: Admission) => void
  /** Asks for what was missed. */
  readonly catchUp: () => void
}

/** Carries what newcomers and members of a private session say to each other: each piece once, in one order for all. */
export function createRoomRelay({ admit, admissions }: Pick<RoomCalls, 'admit' | 'admissions'>): RoomRelay {
  const listeners = new Set<(from: string, body: string) => void>()
  let lastSeq = 0
  let isAsking = false

  function take(pieces: readonly Admission[]): void {
    for (const { seq, participant_id: from, body } of pieces) {
      if (seq <= lastSeq) continue
      lastSeq = seq
      for (const listener of [...listeners]) listener(from, body)
    }
  }

  async function askForMissed(): Promise<void> {
    if (isAsking) return
    isAsking = true
    try {
      // An answer carries a page of them; the last one is empty.
      for (let before = -1; lastSeq > before; ) {
        before = lastSeq
        take(await admissions(lastSeq))
      }
    } finally {
      isAsking = false
    }
  }

  // What cannot be asked for now is asked for again soon.
  const catchUp = () => void askForMissed().catch(() => undefined)

  return {
    send: admit,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hear(admission) {
      // One that does not follow upon the last was overtaken on its way.
      if (admission.seq === lastSeq + 1) take([admission])
      else catchUp()
    },
    catchUp,
  }
}

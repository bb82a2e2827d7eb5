import type { AdmissionRelay } from '@sallyport/client/sessions/admission-messages'
import { ignore } from '@sallyport/contract/ignore'
import type { Admission } from '@sallyport/contract/session-shapes'
import type { SessionApi } from './session-api.ts'

export interface SessionAdmissionRelay extends AdmissionRelay {
  /** Handles a message that arrived as a live event. */
  readonly handleMessage: (admission: Admission) => void
  /** Fetches missed messages. */
  readonly catchUp: () => void
}

/** Relays admission messages between newcomers and members of a private session, each once and in order. */
export function createSessionAdmissionRelay({
  admit,
  admissions,
}: Pick<SessionApi, 'admit' | 'admissions'>): SessionAdmissionRelay {
  const listeners = new Set<(from: string, body: string) => void>()
  let lastSeq = 0
  let isFetching = false

  function deliver(messages: readonly Admission[]): void {
    for (const { seq, participant_id: from, body } of messages) {
      if (seq <= lastSeq) continue
      lastSeq = seq
      for (const listener of [...listeners]) listener(from, body)
    }
  }

  async function fetchMissed(): Promise<void> {
    if (isFetching) return
    isFetching = true
    try {
      // Each response contains one page; the last page is empty.
      for (let before = -1; lastSeq > before; ) {
        before = lastSeq
        deliver(await admissions(lastSeq))
      }
    } finally {
      isFetching = false
    }
  }

  const catchUp = () => void fetchMissed().catch((error) => ignore(error, 'the next event or poll fetches again'))

  return {
    send: admit,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    handleMessage(admission) {
      // A gap in the sequence numbers means that messages were missed.
      if (admission.seq === lastSeq + 1) deliver([admission])
      else catchUp()
    },
    catchUp,
  }
}

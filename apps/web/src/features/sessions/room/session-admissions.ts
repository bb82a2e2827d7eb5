import { loadCode } from '@sallyport/browser/load-code'
import { createSubject, type Observable } from '@sallyport/client/observable'
import type { AdmissionQueue, OngoingAdmission, PendingAdmission } from '@sallyport/client/sessions/admission-queue'
import type { AdmissionRequest } from '@sallyport/client/sessions/request-admission'
import type { SessionAdmissionRelay } from './session-admission-relay.ts'

/** Admission requests to a private session, from participants who do not have its key. */
export interface SessionAdmissionQueue extends Observable<readonly PendingAdmission[]> {
  /** Admits one; null where this participant has no key either. */
  readonly admit: (request: PendingAdmission) => Promise<OngoingAdmission | null>
  readonly deny: (request: PendingAdmission) => Promise<void>
}

interface SessionAdmissionsDeps {
  readonly relay: SessionAdmissionRelay
  readonly origin: string
  readonly sessionId: string
}

/** Handles both sides of an admission to a private session. The protocol code is loaded on first use. */
export function createSessionAdmissions({ relay, origin, sessionId }: SessionAdmissionsDeps) {
  const requests = createSubject<readonly PendingAdmission[]>([])
  let queue: AdmissionQueue | null = null
  return {
    admissionQueue: {
      current: requests.current,
      subscribe: requests.subscribe,
      admit: async (request) => (queue ? queue.admit(request) : null),
      deny: async (request) => queue?.deny(request),
    } satisfies SessionAdmissionQueue,
    /** Starts answering admission requests with the link secret. */
    async open(linkSecret: Uint8Array): Promise<void> {
      const { openAdmissionQueue } = await loadCode(() => import('@sallyport/client/sessions/admission-queue'))
      const newQueue = openAdmissionQueue({ relay, origin, sessionId, linkSecret })
      newQueue.subscribe(() => requests.set(newQueue.current()))
      queue = newQueue
      relay.catchUp()
    },
    /** Requests the link secret from the members. */
    async ask(): Promise<AdmissionRequest> {
      const { requestAdmission } = await loadCode(() => import('@sallyport/client/sessions/request-admission'))
      return requestAdmission({ relay, origin, sessionId })
    },
    stop: () => queue?.stop(),
  }
}

import { createSubject, type Observable } from '@sallyport/client/observable'
import { keyIdOfName, readParticipantName } from '@sallyport/client/sessions/read-session'
import type { SessionKeys } from '@sallyport/client/sessions/track-session-keys'
import type { Participant } from '@sallyport/contract/session-shapes'
import { chosenName } from './anonymous-names.ts'
import { nameKeyOf } from './name-key.ts'

export interface ParticipantNames extends Observable<ReadonlyMap<string, string | null>> {
  /** Decrypts names that are not decrypted yet. */
  readonly open: (participants: readonly Participant[]) => void
}

/**
 * The names that participants have chosen. One that cannot be decrypted, or that was encrypted for another participant,
 * is null like one that was not chosen.
 */
export function createParticipantNames(keys: SessionKeys): ParticipantNames {
  const names = createSubject<ReadonlyMap<string, string | null>>(new Map())

  async function openName(participant: Participant): Promise<void> {
    const keyId = keyIdOfName(participant.participant_name)
    const context = keyId ? await keys.forKeyId(keyId) : keys.current()
    // A removed participant can still seal under an earlier key, so such a name is accepted only if it was here before.
    const isAccepted = !keyId || !keys.isOutdated(keyId)
    const name = isAccepted ? chosenName((await readParticipantName(participant, context))?.name) : null
    names.set(new Map([...names.current(), [nameKeyOf(participant), name]]))
  }

  return {
    current: names.current,
    subscribe: names.subscribe,
    open(participants) {
      for (const participant of participants)
        if (!names.current().has(nameKeyOf(participant))) void openName(participant)
    },
  }
}

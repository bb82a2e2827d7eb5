import { createSubject, type Observable } from '@sallyport/client/observable'
import type { SessionKeys } from '@sallyport/client/sessions/follow-session-keys'
import { keyIdOfName, readParticipantName } from '@sallyport/client/sessions/read-session'
import { anonymousParticipant, type Participant } from '@sallyport/contract/session-shapes'
import { nameKeyOf } from './name-key.ts'

export interface PeopleNames extends Observable<ReadonlyMap<string, string>> {
  /** Opens the names of these people that are not open yet. */
  readonly open: (people: readonly Participant[]) => void
}

/** What participants call themselves. One whose name does not open, or was sealed for another one, is anonymous. */
export function createPeopleNames(keys: SessionKeys): PeopleNames {
  const names = createSubject<ReadonlyMap<string, string>>(new Map())

  async function openOne(participant: Participant): Promise<void> {
    const keyId = keyIdOfName(participant.participant_name)
    const place = keyId ? await keys.knowing(keyId) : keys.current()
    const name = (await readParticipantName(participant, place))?.name ?? anonymousParticipant
    names.set(new Map([...names.current(), [nameKeyOf(participant), name]]))
  }

  return {
    current: names.current,
    subscribe: names.subscribe,
    open(people) {
      for (const one of people) if (!names.current().has(nameKeyOf(one))) void openOne(one)
    },
  }
}

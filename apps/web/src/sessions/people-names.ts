import { createSubject, type Observable } from '@sallyport/client/observable'
import { openParticipantName } from '@sallyport/client/sessions/read-session'
import { anonymousParticipant, type Participant } from '@sallyport/contract/session-shapes'
import type { Root } from '@sallyport/crypto'

export interface PeopleNames extends Observable<ReadonlyMap<string, string>> {
  /** Opens the names of these people that are not open yet. */
  readonly open: (people: readonly Participant[]) => void
}

interface Place {
  readonly root: Root
  readonly sessionId: string
}

/** What people call themselves, by the sealed form. Whoever's name does not open is anonymous. */
export function createPeopleNames(place: Place): PeopleNames {
  const names = createSubject<ReadonlyMap<string, string>>(new Map())

  async function openOne(sealed: string): Promise<void> {
    const name = (await openParticipantName(sealed, place)) ?? anonymousParticipant
    names.set(new Map([...names.current(), [sealed, name]]))
  }

  return {
    current: names.current,
    subscribe: names.subscribe,
    open(people) {
      for (const { participant_name: sealed } of people) if (!names.current().has(sealed)) void openOne(sealed)
    },
  }
}

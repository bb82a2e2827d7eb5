import { anonymousParticipant, type Participant } from '@sallyport/contract/session-shapes'
import { sessionStrings } from '#/strings/sessions.ts'

export interface AnonymousNames {
  /** Numbers participants that have no number yet. */
  readonly number: (participants: readonly Pick<Participant, 'id' | 'joined_at'>[]) => void
  /** Tells a participant without a name apart from others; without a number for one that was never listed. */
  readonly nameOf: (participantId: string | null) => string
}

/** Names participants without a name by the order in which they joined, as far as this client has seen them. */
export function createAnonymousNames(): AnonymousNames {
  const numbers = new Map<string, number>()
  return {
    number(participants) {
      for (const { id } of participants.toSorted((one, other) => one.joined_at - other.joined_at))
        if (!numbers.has(id)) numbers.set(id, numbers.size + 1)
    },
    nameOf(participantId) {
      const number = participantId === null ? undefined : numbers.get(participantId)
      return number === undefined ? anonymousParticipant : sessionStrings.anonymous(number)
    },
  }
}

/** The name that a participant has chosen; null for none. */
export const chosenName = (name: string | null | undefined): string | null =>
  name === undefined || name === '' || name === anonymousParticipant ? null : name

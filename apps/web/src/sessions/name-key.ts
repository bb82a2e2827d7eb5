import type { Participant } from '@sallyport/contract/session-shapes'

/** Tells the names of participants apart: the same sealed name at another participant is another one. */
export const nameKeyOf = ({ id, participant_name }: Pick<Participant, 'id' | 'participant_name'>): string =>
  `${id} ${participant_name}`

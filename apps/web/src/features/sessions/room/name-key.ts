import type { Participant } from '@sallyport/contract/session-shapes'

/** The map key of a participant's name, unique for the participant and the encrypted name. */
export const nameKeyOf = ({ id, participant_name }: Pick<Participant, 'id' | 'participant_name'>): string =>
  `${id} ${participant_name}`

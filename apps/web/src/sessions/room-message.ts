import type { ListedMessage } from '#/messages/listed-message.ts'

/** A message of a session, with its sender's sealed name. */
export interface RoomMessage extends ListedMessage {
  readonly authorName: string
  readonly authorId: string | null
}

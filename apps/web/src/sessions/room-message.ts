import type { ListedMessage } from '#/messages/listed-message.ts'

/** A message of a session, with what the server says of its sender: it counts in messages of version 1 only. */
export interface RoomMessage extends ListedMessage {
  readonly authorName: string
  readonly authorId: string | null
}

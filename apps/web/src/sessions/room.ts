import type { Observable } from '@sallyport/client/observable'
import type { Asking } from '@sallyport/client/sessions/ask-admission'
import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import type { KeyMode, Session, SessionFile, SessionSettings } from '@sallyport/contract/session-shapes'
import type { NameBook } from '#/file-views/name-book.ts'
import type { Composer } from '#/messages/composer.ts'
import type { MessageAuthor, MessageBook } from '#/messages/message-book.ts'
import type { MessagePages } from '#/messages/message-pages.ts'
import type { Troubles } from '#/messages/troubles.ts'
import type { Downloads } from '#/transfers/downloads.ts'
import type { UnfinishedUploads } from '#/transfers/unfinished-uploads.ts'
import type { RoomDesk } from './room-desk.ts'
import type { RoomMessage } from './room-message.ts'

/** Why somebody is not in a session any more; `refused` when what the server answers does not fit the stored session. */
export type Ending = 'left' | 'closed' | 'removed' | 'refused'

/** What can be read and written once the key of the session is at hand. */
export interface OpenRoom {
  readonly composer: Composer
  readonly book: MessageBook<RoomMessage>
  readonly troubles: Troubles
  readonly pages: MessagePages<RoomMessage>
  readonly uploads: UploadQueue
  /** What a reload has broken off. */
  readonly unfinished: UnfinishedUploads
  readonly downloads: Downloads
  readonly fileNames: NameBook
  readonly listFiles: () => Promise<readonly SessionFile[]>
  readonly download: (file: SessionFile, name: string) => Promise<void>
  readonly deleteFile: (fileId: string) => Promise<void>
  readonly linkToFile: (fileId: string) => string
  /** What each participant calls themselves, by `nameKeyOf` the participant. */
  readonly peopleNames: Observable<ReadonlyMap<string, string>>
}

/** A session that somebody is in, for as long as they are. */
export interface Room {
  readonly id: string
  readonly pin: string
  /** How the key is made, as this browser knows it; the answers of the server are not asked for it. */
  readonly keyMode: KeyMode
  /** As the server has told it last. */
  readonly session: Observable<Session>
  /** Null while a private session waits for its link. */
  readonly open: Observable<OpenRoom | null>
  readonly me: Observable<MessageAuthor>
  /** Whole, with the key of a private session. */
  readonly inviteLink: () => string
  /** Takes the link of a private session. Rejects where it is that of another one. */
  readonly unlock: (link: string) => Promise<void>
  readonly changeSettings: (settings: Partial<SessionSettings>) => Promise<void>
  readonly rename: (name: string) => Promise<void>
  readonly remove: (participantId: string) => Promise<void>
  /** For members of a private session: who has no key yet. */
  readonly desk: RoomDesk
  /** For a newcomer to a private session: asks its members for the key. */
  readonly askIn: () => Promise<Asking>
  readonly answerKnock: (knockId: string, admit: boolean) => Promise<void>
}

import type { Observable } from '@sallyport/client/observable'
import type { AdmissionRequest } from '@sallyport/client/sessions/request-admission'
import type { KeyMode, Session, SessionFile, SessionSettings } from '@sallyport/contract/session-shapes'
import type { Conversation } from '#/components/messages/conversation.ts'
import type { MessageAuthor } from '#/components/messages/message-cache.ts'
import type { FileNameCache } from '#/lib/file-name-cache.ts'
import type { SessionAdmissionQueue } from './session-admissions.ts'
import type { ListedSessionMessage } from './session-api.ts'
import type { SessionTransfers } from './session-transfers.ts'
import type { UnreadMessages } from './unread-messages.ts'

/** Why the user is no longer in a session; `refused` when the server's response does not match the stored session. */
export type SessionEndReason = 'left' | 'closed' | 'removed' | 'refused'

/** The user as an author. */
export interface OwnAuthor extends MessageAuthor {
  /** Null where the name is the one of a participant who has chosen none. */
  readonly chosenName: string | null
}

/** The parts of a session that need its key. */
export interface UnlockedSession
  extends Conversation<ListedSessionMessage>,
    Pick<SessionTransfers, 'uploads' | 'interrupted' | 'downloads'> {
  readonly fileNames: FileNameCache
  readonly listFiles: () => Promise<readonly SessionFile[]>
  readonly download: (file: SessionFile, name: string) => Promise<void>
  readonly deleteFile: (fileId: string) => Promise<void>
  readonly linkToFile: (fileId: string) => string
  /** The chosen name of each participant, by `nameKeyOf` the participant; null for none. */
  readonly participantNames: Observable<ReadonlyMap<string, string | null>>
}

/** A session while the user is in it. */
export interface CurrentSession {
  readonly id: string
  readonly pin: string
  /** The key mode as this browser knows it; the server's answer is not trusted. */
  readonly keyMode: KeyMode
  /** The latest state from the server. */
  readonly session: Observable<Session>
  /** Null while a private session is locked. */
  readonly unlocked: Observable<UnlockedSession | null>
  readonly me: Observable<OwnAuthor>
  /** The name of a participant who has chosen none. */
  readonly anonymousNameOf: (participantId: string) => string
  readonly unread: UnreadMessages
  /** The complete invite link, with the secret of a private session. */
  readonly inviteLink: () => string
  /** Unlocks a private session by its link. Rejects where the link belongs to another session. */
  readonly unlock: (link: string) => Promise<void>
  readonly changeSettings: (settings: Partial<SessionSettings>) => Promise<void>
  /** An empty name removes the chosen one. */
  readonly rename: (name: string) => Promise<void>
  readonly remove: (participantId: string) => Promise<void>
  /** For members of a private session: participants without the key. */
  readonly admissionQueue: SessionAdmissionQueue
  /** For a newcomer to a private session: requests the key from its members. */
  readonly requestAdmission: () => Promise<AdmissionRequest>
  readonly answerJoinRequest: (requestId: string, admit: boolean) => Promise<void>
}

import type { Observable } from '@sallyport/client/observable'
import type { AdmissionRequest } from '@sallyport/client/sessions/request-admission'
import type { KeyMode, Session, SessionFile, SessionSettings } from '@sallyport/contract/session-shapes'
import type { Conversation } from '#/components/messages/conversation.ts'
import type { MessageAuthor } from '#/components/messages/message-cache.ts'
import type { FileNameCache } from '#/lib/transfers/file-name-cache.ts'
import type { SessionAdmissionQueue } from './session-admissions.ts'
import type { ListedSessionMessage } from './session-api.ts'
import type { SessionTransfers } from './session-transfers.ts'

/** Why the user is no longer in a session; `refused` when the server's response does not match the stored session. */
export type SessionEndReason = 'left' | 'closed' | 'removed' | 'refused'

/** The parts of a session that need its key. */
export interface UnlockedSession
  extends Conversation<ListedSessionMessage>,
    Pick<SessionTransfers, 'uploads' | 'interrupted' | 'downloads'> {
  readonly fileNames: FileNameCache
  readonly listFiles: () => Promise<readonly SessionFile[]>
  readonly download: (file: SessionFile, name: string) => Promise<void>
  readonly deleteFile: (fileId: string) => Promise<void>
  readonly linkToFile: (fileId: string) => string
  /** The name of each participant, by `nameKeyOf` the participant. */
  readonly participantNames: Observable<ReadonlyMap<string, string>>
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
  readonly me: Observable<MessageAuthor>
  /** The complete invite link, with the secret of a private session. */
  readonly inviteLink: () => string
  /** Unlocks a private session by its link. Rejects where the link belongs to another session. */
  readonly unlock: (link: string) => Promise<void>
  readonly changeSettings: (settings: Partial<SessionSettings>) => Promise<void>
  readonly rename: (name: string) => Promise<void>
  readonly remove: (participantId: string) => Promise<void>
  /** For members of a private session: participants without the key. */
  readonly admissionQueue: SessionAdmissionQueue
  /** For a newcomer to a private session: requests the key from its members. */
  readonly requestAdmission: () => Promise<AdmissionRequest>
  readonly answerJoinRequest: (requestId: string, admit: boolean) => Promise<void>
}

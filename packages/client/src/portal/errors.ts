/** Why a portal or a transfer through it failed, or what happened to its code. */
export type PortalErrorCode =
  | 'CANNOT_CREATE'
  | 'CANNOT_REACH'
  | 'ROOM_CREATION_TIMEOUT'
  | 'NOBODY_JOINED'
  | 'ROOM_JOIN_TIMEOUT'
  | 'ROOM_CREATION_FAILED'
  | 'ROOM_JOIN_FAILED'
  | 'SOCKET_FAILED'
  | 'CANNOT_JOIN'
  | 'TOO_MANY_TRIES'
  | 'CANNOT_ENTER'
  | 'UNKNOWN'
  | 'NOT_READY'
  | 'CONNECTION_TIMEOUT'
  | 'REJECTED'
  | 'CHANNEL_LOST'
  | 'DRAIN_TIMEOUT'
  | 'CHUNK_NOT_SENT'
  | 'INCOMPLETE'
  | 'DAMAGED'
  | 'TOO_MUCH'
  | 'SOURCE_CHANGED'
  | 'NO_SPACE'
  | 'NO_SPACE_HERE'
  | 'CANCELLED'
  | 'PEER_RESET'
  | 'TOO_MANY_FILES'
  | 'ENDED'
  | 'NO_CONNECTION'
  | 'NOT_VERIFIED'
  | 'TAMPERED'
  | 'LEGACY_REJECTED'
  | 'TYPED_CODE_REJECTED'
  | 'LINK_REJECTED'
  | 'DECLINED'
  | 'LEFT_UNANSWERED'
  | 'WRONG_CODE'
  | 'LINK_INCOMPLETE'
  | 'CODE_USED_UP'
  | 'CODE_NOT_ACCEPTED'
  | 'ANSWER_NOT_ACCEPTED'
  | 'CLOSED'

/** An expected failure; the strings of the user interface have the sentence for its code. Any other error is a bug. */
export class PortalError extends Error {
  override readonly name = 'PortalError'
  readonly code: PortalErrorCode
  /** The seconds to wait of `TOO_MANY_TRIES`, the missing bytes of `INCOMPLETE`. */
  readonly amount: number | undefined

  constructor(code: PortalErrorCode, amount?: number) {
    super(code)
    this.code = code
    this.amount = amount
  }
}

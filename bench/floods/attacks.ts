import { floodBackupCodes, guessPasswords } from './attacks/hashes.ts'
import { readLongLists } from './attacks/lists.ts'
import { occupyRelay } from './attacks/relay.ts'
import { holdBodies, holdUploadFrames } from './attacks/stalled-bytes.ts'
import { renameBeforeUnreadSockets, signalToUnreadSockets } from './attacks/unread-sockets.ts'

/** Prepares an attack against a server, and resolves to what runs it until its process is ended. */
export type PrepareAttack = (url: string) => Promise<() => Promise<void>>

export const attacks: Readonly<Record<string, PrepareAttack>> = {
  'unread signalling sockets': signalToUnreadSockets,
  'unread live sockets': renameBeforeUnreadSockets,
  'long lists': readLongLists,
  'backup codes': floodBackupCodes,
  'wrong passwords': guessPasswords,
  'occupied relay': occupyRelay,
  'stalled upload frames': holdUploadFrames,
  'bodies that never come': holdBodies,
}

import { sendAllowedJson, sendCostlyJson } from './attacks/costly-json.ts'
import { floodBackupCodes, guessPasswords } from './attacks/hashes.ts'
import { readLongLists } from './attacks/lists.ts'
import { pipelineJson, pipelineLink, pipelineOwnFile, pipelinePage, pipelineScript } from './attacks/pipelined.ts'
import { occupyRelay } from './attacks/relay.ts'
import { holdBodies, holdUploadFrames, sendRejectedUploads } from './attacks/stalled-bytes.ts'
import { renameWithUnreadSockets, signalToUnreadSockets } from './attacks/unread-sockets.ts'

/** Prepares an attack against a server, and resolves to a function that runs it until its process is killed. */
export type PrepareAttack = (url: string) => Promise<() => Promise<void>>

export const attacks: Readonly<Record<string, PrepareAttack>> = {
  'unread signalling sockets': signalToUnreadSockets,
  'unread live sockets': renameWithUnreadSockets,
  'long lists': readLongLists,
  'backup codes': floodBackupCodes,
  'wrong passwords': guessPasswords,
  'occupied relay': occupyRelay,
  'stalled upload frames': holdUploadFrames,
  'rejected uploads': sendRejectedUploads,
  'incomplete bodies': holdBodies,
  'pipelined page': pipelinePage,
  'pipelined script': pipelineScript,
  'pipelined JSON': pipelineJson,
  'pipelined file': pipelineOwnFile,
  'pipelined link': pipelineLink,
  'costly JSON': sendCostlyJson,
  'allowed JSON': sendAllowedJson,
}

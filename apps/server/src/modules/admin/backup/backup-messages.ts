import { BackupFailure, BackupStep } from '@sallyport/contract/admin-backup'
import * as z from 'zod/mini'

const count = z.int().check(z.nonnegative())

/** What the process of a backup sends to the server that has started it, one line each. */
const ProcessMessage = z.union([
  z.object({ progress: z.object({ step: BackupStep, files: count, totalFiles: z.nullable(count) }) }),
  z.object({ failure: BackupFailure }),
])
type ProcessMessage = z.output<typeof ProcessMessage>

/** A message as a line without its end. */
export const formatProcessMessage = (message: ProcessMessage): string => JSON.stringify(message)

/** Parses a line; null if it is no message. */
export function parseProcessMessage(line: string): ProcessMessage | null {
  try {
    return ProcessMessage.parse(JSON.parse(line))
  } catch {
    return null
  }
}

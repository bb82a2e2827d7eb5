import { transferLimits } from '@sallyport/contract/limits'
import type { Call } from '../call.ts'
import type { Clock } from '../clock.ts'
import { inUploadWords, mayPass } from './failures.ts'
import { type Line, whileOpen } from './line.ts'
import { completeAt } from './place.ts'
import type { PreparedUpload } from './prepare-upload.ts'
import { uploadTexts } from './texts.ts'

/** What the server is told when all chunks have arrived. */
export const completionOf = (upload: PreparedUpload) => ({
  uploadId: upload.uploadId,
  fileName: upload.sealedName,
  encryptedFileKey: upload.envelope,
  totalChunks: upload.plan.chunkCount,
  chunkSize: upload.plan.chunkBytes,
  ...(upload.expirationMinutes !== undefined && { fileExpirationMinutes: upload.expirationMinutes }),
})

interface Completion {
  readonly upload: PreparedUpload
  readonly call: Call
  readonly clock: Clock
  readonly line: Line
  readonly signal: AbortSignal
}

/** Asking twice for the same upload gives the same file, so an answer that was lost may be asked for again. */
export async function complete({ upload, call, clock, line, signal }: Completion): Promise<string> {
  const body = completionOf(upload)
  const timeoutMs = transferLimits.completionTimeoutMs
  for (const delayMs of [...transferLimits.retryDelaysMs.slice(0, 2), null]) {
    try {
      const attempt = (ending: AbortSignal) => completeAt(call, upload.place, body, { signal: ending, timeoutMs })
      return await whileOpen(line, signal, attempt)
    } catch (error) {
      if (signal.aborted || delayMs === null || !mayPass(error)) throw inUploadWords(error)
      await clock.wait(delayMs, signal)
    }
  }
  throw new Error(uploadTexts.incomplete)
}

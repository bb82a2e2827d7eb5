import { foldersOf, lastPartOf, safeFileName, type UsedPaths, uniqueFilePath } from '@sallyport/crypto'
import { utf8 } from '@sallyport/crypto/portal'
import type { OutgoingFile } from '../channel.ts'
import { PortalError } from '../errors.ts'
import { maxOfferedFiles, maxSentMessageBytes, type OfferedFile } from './fast-messages.ts'

/** The metadata of files in an offer. Throws a `PortalError` when they do not fit into one offer. */
export function toOfferedFiles(files: readonly OutgoingFile[]): OfferedFile[] {
  const offered = files.map(({ name, path = '', size, mime }, f) => ({
    f,
    name: safeFileName(name),
    ...(path !== '' && { path }),
    size,
    mime,
  }))
  const isTooLong = files.length > maxOfferedFiles || utf8(JSON.stringify(offered)).length > maxSentMessageBytes
  if (isTooLong) throw new PortalError('TOO_MANY_FILES')
  return offered
}

/** Offered files with safe names and folders and with unique paths. */
export function sanitizeOfferedFiles(files: readonly OfferedFile[]): OfferedFile[] {
  const takenPaths: UsedPaths = new Map()
  return files.map(({ path, name, ...file }, f) => {
    const filePath = uniqueFilePath(
      path === undefined ? safeFileName(name) : `${path}/${safeFileName(name)}`,
      takenPaths,
    )
    const folders = foldersOf(filePath)
    return { ...file, f, name: lastPartOf(filePath), ...(folders !== '' && { path: folders }) }
  })
}

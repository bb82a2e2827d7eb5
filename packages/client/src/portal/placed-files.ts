import { foldersOf, lastPartOf, safeFileName, type TakenPaths, uniqueFilePath } from '@sallyport/crypto'
import { utf8 } from '@sallyport/crypto/portal'
import { type OutgoingFile, PortalError } from './channel.ts'
import { longestSaidBytes, mostOfferedFiles, type OfferedFile } from './fast/fast-messages.ts'
import { portalTexts } from './texts.ts'

/** What is said of files that are to be sent. Throws a `PortalError` where there are too many for one offer. */
export function offeredFiles(files: readonly OutgoingFile[]): OfferedFile[] {
  const offered = files.map(({ name, path = '', size, mime }, f) => ({
    f,
    name: safeFileName(name),
    ...(path !== '' && { path }),
    size,
    mime,
  }))
  const isTooLong = files.length > mostOfferedFiles || utf8(JSON.stringify(offered)).length > longestSaidBytes
  if (isTooLong) throw new PortalError(portalTexts.tooManyFiles)
  return offered
}

/** Offered files under names and in folders that are harmless here, no two of them in one place. */
export function placedFiles(files: readonly OfferedFile[]): OfferedFile[] {
  const taken: TakenPaths = new Map()
  return files.map(({ path, name, ...file }, f) => {
    const place = uniqueFilePath(path === undefined ? safeFileName(name) : `${path}/${safeFileName(name)}`, taken)
    const folders = foldersOf(place)
    return { ...file, f, name: lastPartOf(place), ...(folders !== '' && { path: folders }) }
  })
}

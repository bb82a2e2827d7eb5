import { type KeptFile, looksLike } from '@sallyport/client/upload/reopen-upload'
import { lastPartOf } from '@sallyport/crypto'

interface Wanted extends KeptFile {
  readonly id: string
}

/**
 * Which of the chosen files is which of those that are wanted, by name, size and time. One that fits several in
 * different folders is left out, unless it was chosen with its folder.
 */
export function matchFiles(files: readonly File[], wanted: readonly Wanted[]): ReadonlyMap<string, File> {
  const alike = new Map<string, Wanted[]>()
  for (const one of wanted) {
    const key = keyOf(lastPartOf(one.name), one.size)
    alike.set(key, [...(alike.get(key) ?? []), one])
  }
  const found = new Map<string, File>()
  for (const file of files) {
    const path = file.webkitRelativePath.normalize('NFC')
    const candidates = alike.get(keyOf(file.name.normalize('NFC'), file.size)) ?? []
    const fitting = candidates.filter((one) => looksLike(file, one) && mayLieAt(path, one.name))
    const isOneFile = new Set(fitting.map(({ name }) => name)).size === 1
    if (isOneFile) for (const { id } of fitting) found.set(id, file)
  }
  return found
}

const keyOf = (name: string, size: number): string => `${size} ${name}`

/** Also where a folder further in or out was chosen than then. */
const mayLieAt = (path: string, name: string): boolean =>
  path === '' || path === name || name.endsWith(`/${path}`) || path.endsWith(`/${name}`)

import { safeFileName, shorten } from './safe-file-name.ts'

/** Returns a safe name that differs from all used ones case-insensitively, and adds it to `usedNames`. */
export function uniqueFileName(name: string, usedNames: Set<string>): string {
  const safe = safeFileName(name)
  let unique = safe
  for (let count = 2; usedNames.has(foldCase(unique)); count += 1) unique = numberedFileName(safe, count)
  usedNames.add(foldCase(unique))
  return unique
}

/** A safe name with a number before its extension. */
export const numberedFileName = (safe: string, count: number): string => shorten(safe, ` (${count})`)

export const foldCase = (name: string): string => name.normalize('NFC').toLowerCase()

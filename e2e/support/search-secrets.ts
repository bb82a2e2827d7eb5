import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Needle } from './needles.ts'

export interface SecretFinding {
  readonly file: string
  readonly secret: string
  readonly form: string
}

const pieceBytes = 8 * 1024 * 1024

/** Finds every needle in the files under these paths. Throws for a path without files. */
export function searchSecrets(paths: readonly string[], needles: readonly Needle[]): SecretFinding[] {
  return paths.flatMap((path) => {
    const files = filesUnder(path)
    if (files.length === 0) throw new Error(`There is nothing to search in ${path}`)
    return files.flatMap((file) => searchFile(file, needles))
  })
}

/** All files under a folder, or the file itself. */
export function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)],
  )
}

function searchFile(file: string, needles: readonly Needle[]): SecretFinding[] {
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length)) - 1
  const buffer = Buffer.alloc(pieceBytes + overlap)
  const found = new Set<Needle>()
  const descriptor = openSync(file, 'r')
  try {
    let carriedBytes = 0
    for (;;) {
      const read = readSync(descriptor, buffer, carriedBytes, pieceBytes, null)
      if (read === 0) break
      const content = buffer.subarray(0, carriedBytes + read)
      for (const needle of needles) if (!found.has(needle) && content.includes(needle.bytes)) found.add(needle)
      carriedBytes = Math.min(overlap, content.length)
      content.copyWithin(0, content.length - carriedBytes)
    }
  } finally {
    closeSync(descriptor)
  }
  return [...found].map(({ secret, form }) => ({ file, secret, form }))
}

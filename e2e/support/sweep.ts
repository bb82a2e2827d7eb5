import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Needle } from './needles.ts'

export interface Find {
  readonly file: string
  readonly secret: string
  readonly form: string
}

const pieceBytes = 8 * 1024 * 1024

/** Every needle that lies in one of the files under these places. Throws for a place where nothing was looked at. */
export function sweep(places: readonly string[], needles: readonly Needle[]): Find[] {
  return places.flatMap((place) => {
    const files = filesUnder(place)
    if (files.length === 0) throw new Error(`There is nothing to search in ${place}`)
    return files.flatMap((file) => searchFile(file, needles))
  })
}

/** All files under a folder, or the file itself. */
export function filesUnder(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place]
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(place, entry.name)) : [join(place, entry.name)],
  )
}

function searchFile(file: string, needles: readonly Needle[]): Find[] {
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length)) - 1
  const window = Buffer.alloc(pieceBytes + overlap)
  const found = new Set<Needle>()
  const handle = openSync(file, 'r')
  try {
    let kept = 0
    for (;;) {
      const read = readSync(handle, window, kept, pieceBytes, null)
      if (read === 0) break
      const filled = window.subarray(0, kept + read)
      for (const needle of needles) if (!found.has(needle) && filled.includes(needle.bytes)) found.add(needle)
      kept = Math.min(overlap, filled.length)
      filled.copyWithin(0, filled.length - kept)
    }
  } finally {
    closeSync(handle)
  }
  return [...found].map(({ secret, form }) => ({ file, secret, form }))
}

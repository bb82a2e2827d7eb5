import { createHash, randomFillSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export interface RandomFile {
  readonly path: string
  readonly name: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

interface Wishes {
  readonly folder: string
  readonly name: string
  readonly bytes: number
  /** Bytes to hide in the middle of it. */
  readonly hiding?: Uint8Array
}

const pieceBytes = 1024 * 1024

/** A file of random bytes; however big, only a piece of it is in memory. */
export async function makeRandomFile({ folder, name, bytes, hiding }: Wishes): Promise<RandomFile> {
  const path = join(folder, name)
  const file = await open(path, 'w')
  const piece = Buffer.alloc(pieceBytes)
  for (let written = 0; written < bytes; written += pieceBytes) {
    const length = Math.min(pieceBytes, bytes - written)
    await file.write(randomFillSync(piece), 0, length)
  }
  if (hiding) await file.write(hiding, 0, hiding.length, Math.floor((bytes - hiding.length) / 2))
  await file.close()
  return { path, name, bytes, sha256: await sha256Of(path) }
}

/** The SHA-256 of a file in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** The same of bytes. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A file in the form in which a page is handed one. */
export const asPathList = (files: readonly RandomFile[]): string[] => files.map(({ path }) => path)

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

interface RandomFileOptions {
  readonly folder: string
  readonly name: string
  readonly bytes: number
  /** Bytes to write into the middle of the file. */
  readonly embedded?: Uint8Array
}

const pieceBytes = 1024 * 1024

/** Writes a file of random bytes piece by piece, so that memory use stays constant. */
export async function makeRandomFile({ folder, name, bytes, embedded }: RandomFileOptions): Promise<RandomFile> {
  const path = join(folder, name)
  const file = await open(path, 'w')
  const piece = Buffer.alloc(pieceBytes)
  for (let written = 0; written < bytes; written += pieceBytes) {
    const length = Math.min(pieceBytes, bytes - written)
    await file.write(randomFillSync(piece), 0, length)
  }
  if (embedded) await file.write(embedded, 0, embedded.length, Math.floor((bytes - embedded.length) / 2))
  await file.close()
  return { path, name, bytes, sha256: await sha256Of(path) }
}

/** The SHA-256 of a file in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** The SHA-256 of bytes in hexadecimal. */
export const sha256OfBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The paths of files, as file choosers accept them. */
export const pathsOf = (files: readonly RandomFile[]): string[] => files.map(({ path }) => path)

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { openSealedStream, sealStream } from './age.ts'
import type { BackupPart } from './manifest.ts'

interface WritePartInput {
  readonly runFolder: string
  readonly kind: BackupPart['kind']
  /** The name of the file, without the endings that show how it is stored. */
  readonly name: string
  readonly bytes: Readable
  readonly compress: boolean
  /** Public keys of age; null stores the part in plain. */
  readonly recipients: readonly string[] | null
  /** Aborted to stop writing. */
  readonly signal: AbortSignal
}

interface OpenPartInput {
  /** Private keys of age. */
  readonly identities: readonly string[]
  /** Aborted to stop reading. */
  readonly signal: AbortSignal
}

const zstdEnding = '.zst'
const ageEnding = '.age'

/** Writes a stream durably as a part of a run and returns its length and digest. */
export async function writePart(input: WritePartInput): Promise<BackupPart> {
  const { runFolder, kind, name, compress, recipients, signal } = input
  const file = `${name}${compress ? zstdEnding : ''}${recipients ? ageEnding : ''}`
  const compressed = compress ? input.bytes.compose(createZstdCompress()) : input.bytes
  const stored = recipients ? sealStream(compressed as Readable, recipients) : compressed
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(
    stored,
    async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        hash.update(piece)
        bytes += piece.length
        yield piece
      }
    },
    createWriteStream(join(runFolder, file), { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  )
  return { kind, file, bytes, sha256: hash.digest('hex') }
}

/** Throws unless the part has the length and the digest of the manifest. */
export async function verifyPart(runFolder: string, part: BackupPart): Promise<void> {
  const path = join(runFolder, part.file)
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const piece of createReadStream(path)) {
      hash.update(piece)
      bytes += piece.length
    }
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? error})`)
  }
  if (bytes !== part.bytes || hash.digest('hex') !== part.sha256)
    throw new Error(`${path} is damaged: it is not the file that the manifest describes`)
}

/** Opens a part as it was before it was stored. Identities are needed only for a sealed one. */
export function openPart(runFolder: string, part: BackupPart, { identities, signal }: OpenPartInput): Readable {
  const stored: Readable = createReadStream(join(runFolder, part.file), { signal })
  const isSealed = part.file.endsWith(ageEnding)
  const opened = isSealed ? openSealedStream(stored, identities) : stored
  const isCompressed = part.file.replace(ageEnding, '').endsWith(zstdEnding)
  return isCompressed ? (opened.compose(createZstdDecompress()) as Readable) : opened
}

/** The name of a part without the endings that show how it is stored. */
export const partName = ({ file }: BackupPart): string => file.replace(/(\.zst)?(\.age)?$/, '')

import { createHash } from 'node:crypto'
import * as yauzl from 'yauzl'

/** Reads the names in an archive, in order, and the SHA-256 of each entry with an independent ZIP library. */
export async function readArchive(path: string): Promise<ReadonlyMap<string, string>> {
  const zip = await yauzl.openPromise(path)
  const digests = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const hash = createHash('sha256')
    for await (const piece of await zip.openReadStreamPromise(entry)) hash.update(piece)
    digests.set(entry.fileName, hash.digest('hex'))
  }
  return digests
}

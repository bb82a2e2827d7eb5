import { createHash } from 'node:crypto'
import * as yauzl from 'yauzl'

/** The names in an archive, in its order, with the SHA-256 of what is under each; read by another program than ours. */
export async function readArchive(path: string): Promise<ReadonlyMap<string, string>> {
  const zip = await yauzl.openPromise(path)
  const found = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const hash = createHash('sha256')
    for await (const piece of await zip.openReadStreamPromise(entry)) hash.update(piece)
    found.set(entry.fileName, hash.digest('hex'))
  }
  return found
}

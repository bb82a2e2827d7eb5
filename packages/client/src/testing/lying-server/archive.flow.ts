import { SealedManifest } from '@sallyport/contract/files'
import fc from 'fast-check'
import * as yauzl from 'yauzl'
import type { ArchiveLane } from '../../archive/archive-lane.ts'
import { createFileServer } from '../file-server.ts'
import { patternBytes } from '../files.ts'
import { coveredCalls } from './covered-calls.ts'
import { createFileClient } from './file-client.ts'
import type { Flow } from './flow.ts'
import { serveFiles } from './honest-files.ts'
import { type KnownLie, type Lie, liesAbout, tell } from './lies.ts'
import { createLyingServer, type ServerRequest } from './server.ts'

interface ArchiveCase {
  readonly lies: readonly Lie[]
  /** In the list of files at the front of the archive. The bytes behind it are in the order of that list. */
  readonly manifest: Lie | KnownLie | null
}

const call = 'GET /api/download-all'

type Manifest = SealedManifest
type Entry = Manifest['files'][number]

const manifestLie = (name: string, change: (files: readonly Entry[]) => readonly Entry[]): KnownLie => ({
  name,
  call,
  nth: 'every',
  change: (honest: Manifest) => ({ ...honest, files: change(honest.files) }),
})

/** Each entry gets one field of the entry behind it. */
const turned = (field: keyof Entry) => (files: readonly Entry[]) =>
  files.map((file, index) => ({ ...file, [field]: files[(index + 1) % files.length]?.[field] }))

const knownLies = [
  manifestLie('the names of other files', turned('originalName')),
  manifestLie('the keys of other files', turned('encryptedFileKey')),
  manifestLie('the bytes of other files', turned('id')),
  manifestLie('another order', (files) => files.toReversed()),
]

const contents: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'holiday.txt': patternBytes(3001),
  'taxes.txt': patternBytes(4007).reverse(),
  'letter.txt': patternBytes(2003).reverse(),
}

type SpoilLane = (lane: ArchiveLane<Uint8Array>) => ArchiveLane<Uint8Array>

/** A person uploads three files and downloads all of them as one archive. */
export function archiveFlow(spoil: SpoilLane = (lane) => lane): Flow<ArchiveCase> {
  const name = 'download of all files'
  const calls = coveredCalls[name]
  const lieInManifest = liesAbout([call]).map(([lie]) => lie ?? null)
  return {
    name,
    calls,
    honest: { lies: [], manifest: null },
    known: knownLies.map((manifest) => ({ lies: [], manifest })),
    cases: fc.oneof(
      fc.record({ lies: fc.constant([]), manifest: lieInManifest }),
      fc.record({ lies: liesAbout(calls), manifest: fc.constant(null) }),
    ),
    async run({ lies, manifest }) {
      const stored = createFileServer()
      const serve = serveFiles(stored)
      const honest = (request: ServerRequest) =>
        request.name === call ? stored.archive(told(stored.manifest())) : serve(request)
      const server = createLyingServer({ honest, lies })
      const person = createFileClient(server)
      const accountKey = crypto.getRandomValues(new Uint8Array(32))

      for (const [file, bytes] of Object.entries(contents)) await person.upload({ name: file, bytes, root: accountKey })
      const archive = await person.downloadAll(accountKey, spoil)
      const entries = archive ? await readArchive(archive) : []
      const violations = entries.flatMap(([path, bytes]) => wrongEntry(path, bytes))
      return {
        server,
        secrets: { 'the account key': accountKey, ...contents },
        violations,
        isComplete: entries.length === 3,
      }

      function told(truth: Manifest): Manifest {
        if (manifest === null) return truth
        if (!('kind' in manifest)) return manifest.change(truth as never, server.seen) as Manifest
        const answer = tell(manifest, { schema: SealedManifest, honest: truth, seen: server.seen, earlier: [] })
        return 'body' in answer ? (answer.body as Manifest) : truth
      }
    },
  }
}

async function readArchive(bytes: Uint8Array): Promise<readonly (readonly [path: string, bytes: Uint8Array])[]> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes))
  const entries: [string, Uint8Array][] = []
  for await (const entry of zip.eachEntry()) {
    entries.push([entry.fileName, Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray())])
  }
  return entries
}

/** A file that is listed twice has a number behind its name. */
function wrongEntry(path: string, bytes: Uint8Array): readonly string[] {
  const own = contents[path.replace(/ \(\d+\)(?=\.txt$)/, '')]
  const allowed = own ? [own] : path.startsWith('Unreadable name') ? Object.values(contents) : []
  const isRight = allowed.some((one) => one.length === bytes.length && one.every((byte, at) => byte === bytes[at]))
  return isRight ? [] : [`the archive has other bytes under ${path}`]
}

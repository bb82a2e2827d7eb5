import { createFileServer } from '@sallyport/client/testing/file-server'
import { patternBytes } from '@sallyport/client/testing/files'
import { SealedManifest } from '@sallyport/contract/files'
import type { ArchiveWorker } from '@sallyport/transfers/engine/archive/archive-worker'
import fc from 'fast-check'
import * as yauzl from 'yauzl'
import { coveredCalls } from './covered-calls.ts'
import { createFileClient } from './file-client.ts'
import type { Flow } from './flow.ts'
import { serveFiles } from './honest-files.ts'
import { applyLie, type KnownLie, type Lie, liesAbout } from './lies.ts'
import { createLyingServer, type ServerRequest } from './server.ts'

interface ArchiveCase {
  readonly lies: readonly Lie[]
  /** A lie in the manifest at the start of the archive. The contents follow in the order of the manifest. */
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

/** Gives each entry one field of the next entry. */
const rotate = (field: keyof Entry) => (files: readonly Entry[]) =>
  files.map((file, index) => ({ ...file, [field]: files[(index + 1) % files.length]?.[field] }))

const knownLies = [
  manifestLie('the names of other files', rotate('originalName')),
  manifestLie('the keys of other files', rotate('encryptedFileKey')),
  manifestLie('the bytes of other files', rotate('id')),
  manifestLie('another order', (files) => files.toReversed()),
]

const contents: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'holiday.txt': patternBytes(3001),
  'taxes.txt': patternBytes(4007).reverse(),
  'letter.txt': patternBytes(2003).reverse(),
}

type PlantFault = (worker: ArchiveWorker<Uint8Array>) => ArchiveWorker<Uint8Array>

/** A user uploads three files and downloads all of them as one archive. */
export function archiveFlow(plantFault: PlantFault = (worker) => worker): Flow<ArchiveCase> {
  const name = 'download of all files'
  const calls = coveredCalls[name]
  const manifestLies = liesAbout([call]).map(([lie]) => lie ?? null)
  return {
    name,
    calls,
    honest: { lies: [], manifest: null },
    fixedCases: knownLies.map((manifest) => ({ lies: [], manifest })),
    cases: fc.oneof(
      fc.record({ lies: fc.constant([]), manifest: manifestLies }),
      fc.record({ lies: liesAbout(calls), manifest: fc.constant(null) }),
    ),
    async run({ lies, manifest }) {
      const stored = createFileServer()
      const serve = serveFiles(stored)
      const honest = (request: ServerRequest) =>
        request.name === call ? stored.archive(lyingManifest(stored.manifest())) : serve(request)
      const server = createLyingServer({ honest, lies })
      const user = createFileClient(server)
      const accountKey = crypto.getRandomValues(new Uint8Array(32))

      for (const [file, bytes] of Object.entries(contents)) await user.upload({ name: file, bytes, root: accountKey })
      const archive = await user.downloadAll(accountKey, plantFault)
      const entries = archive ? await readArchive(archive) : []
      const violations = entries.flatMap(([path, bytes]) => wrongEntry(path, bytes))
      return {
        server,
        secrets: { 'the account key': accountKey, ...contents },
        violations,
        isComplete: entries.length === 3,
      }

      function lyingManifest(honestManifest: Manifest): Manifest {
        if (manifest === null) return honestManifest
        if (!('kind' in manifest)) return manifest.change(honestManifest as never, server.seen) as Manifest
        const answer = applyLie(manifest, {
          schema: SealedManifest,
          honest: honestManifest,
          seen: server.seen,
          earlier: [],
        })
        return 'body' in answer ? (answer.body as Manifest) : honestManifest
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

/** A file that is listed twice has a number after its name. */
function wrongEntry(path: string, bytes: Uint8Array): readonly string[] {
  const original = contents[path.replace(/ \(\d+\)(?=\.txt$)/, '')]
  const allowed = original ? [original] : path.startsWith('Unreadable name') ? Object.values(contents) : []
  const isRight = allowed.some((one) => one.length === bytes.length && one.every((byte, at) => byte === bytes[at]))
  return isRight ? [] : [`the archive has wrong bytes under ${path}`]
}

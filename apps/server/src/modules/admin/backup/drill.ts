import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { fileFolder } from '../../../platform/storage/volume.ts'
import type { Manifest } from './manifest.ts'
import { type ListedObject, readObjectList } from './object-list.ts'
import type { RestoreResult } from './restore.ts'

interface DrillInput {
  readonly runFolder: string
  /** Reads all objects instead of a sample. */
  readonly readsAll: boolean
  /** Restores the run into this data folder. */
  readonly restore: (dataFolder: string, volumeFolder: string) => Promise<RestoreResult>
  /** Throws unless the database for the drill is empty. */
  readonly requireEmptyDatabase: () => Promise<void>
  /** Removes what was restored outside of the data folder. */
  readonly removeDatabase: () => Promise<void>
  /** The file that starts a server. */
  readonly serverEntry: string
  /** The settings of that server besides its folder and port. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly report: (text: string) => void
  /** Aborted to stop the drill, which then removes everything. */
  readonly signal: AbortSignal
}

interface SampledObject extends ListedObject {
  readonly fileId: string
}

const sampleObjects = 100
const startTimeoutMs = 120_000
const stopTimeoutMs = 35_000

/** Proves that a run can be restored: restores it, starts a server on it, reads objects, and removes everything. */
export async function runDrill(input: DrillInput): Promise<{ readonly seconds: number; readonly objects: number }> {
  const { runFolder, readsAll, restore, requireEmptyDatabase, removeDatabase, report, signal } = input
  const begun = performance.now()
  await requireEmptyDatabase()
  const dataFolder = await mkdtemp(join(tmpdir(), 'sallyport-drill-'))
  const volumeFolder = join(dataFolder, 'volumes', 'main')
  try {
    const { manifest, lostFiles } = await restore(dataFolder, volumeFolder)
    if (lostFiles.length > 0)
      throw new Error(`${lostFiles.length} files of the backup have no bytes in its pool: ${lostFiles.join(', ')}`)
    report('Starting a server')
    await requireReadyServer(input, dataFolder)
    report('Reading objects')
    const listed = listObjects(runFolder, manifest)
    let objects = 0
    for await (const object of readsAll ? listed : await pickSample(listed)) {
      signal.throwIfAborted()
      await requireSameObject(volumeFolder, object)
      objects += 1
    }
    return { seconds: (performance.now() - begun) / 1000, objects }
  } finally {
    await rm(dataFolder, { recursive: true, force: true }).finally(removeDatabase)
  }
}

/** Starts a server on the restored folder, and throws unless it is ready and stops by itself. */
async function requireReadyServer({ serverEntry, environment, signal }: DrillInput, dataFolder: string): Promise<void> {
  signal.throwIfAborted()
  const settings = { ...environment, DATA_DIR: dataFolder, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info' }
  const child = spawn(process.execPath, [serverEntry], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const output: string[] = []
  child.stderr.on('data', (piece) => void output.push(String(piece)))
  let timer: NodeJS.Timeout | undefined
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  try {
    const url = await new Promise<string>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The server did not start in time')), startTimeoutMs)
      child.once('error', reject)
      child.once('close', (code) => reject(new Error(`The server exited with ${code}: ${output.join('').trim()}`)))
      child.stdout.on('data', (piece) => {
        output.push(String(piece))
        const found = /"url":"(http:[^"]+)"/.exec(output.join(''))?.[1]
        if (found !== undefined) resolve(found)
      })
    })
    const { status } = await fetch(`${url}/readyz`)
    if (status !== 200) throw new Error(`The server is not ready: /readyz answered ${status}`)
    child.kill('SIGTERM')
    clearTimeout(timer)
    timer = setTimeout(kill, stopTimeoutMs)
    const code = await ended
    if (code !== 0) throw new Error(`The server exited with ${code} when it was stopped`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    kill()
    await ended
  }
}

/** Yields the objects of a run; none of one without bytes. */
async function* listObjects(runFolder: string, { parts, hasBytes }: Manifest): AsyncGenerator<SampledObject> {
  if (!hasBytes) return
  for (const part of parts.filter(({ kind }) => kind === 'objects'))
    for await (const { id, objects } of readObjectList(join(runFolder, part.file)))
      for (const object of objects) yield { fileId: id, ...object }
}

/** Reservoir sampling: each object has the same chance, however many there are. */
async function pickSample(objects: AsyncIterable<SampledObject>): Promise<SampledObject[]> {
  const sample: SampledObject[] = []
  let seen = 0
  for await (const object of objects) {
    seen += 1
    const position = sample.length < sampleObjects ? sample.length : Math.floor(Math.random() * seen)
    if (position < sampleObjects) sample[position] = object
  }
  return sample
}

async function requireSameObject(volumeFolder: string, object: SampledObject): Promise<void> {
  let bytes = 0
  let checksum = 0
  for await (const piece of createReadStream(join(fileFolder(volumeFolder, object.fileId), String(object.index)))) {
    checksum = crc32(piece, checksum)
    bytes += piece.length
  }
  if (bytes !== object.bytes || checksum !== object.checksum)
    throw new Error(`Object ${object.index} of file ${object.fileId} is damaged: its checksum is wrong`)
}

import { fileURLToPath } from 'node:url'
import { fillPath } from '@sallyport/contract/endpoint'
import { files } from '@sallyport/contract/files'
import type { PlainFile } from '../browser/plain-upload.ts'
import { type NodeServer, startNodeServer } from '../lib/node-server.ts'
import type { BenchEnvironment } from '../lib/workbench.ts'
import { curl, uploadByCurl } from '../peers/curl.ts'
import type { LatencyProbeInput } from './latency-probe.ts'

const bareServer = fileURLToPath(new URL('./bare-server.ts', import.meta.url))

/** A server whose API latency is measured while it serves transfers. */
export interface LatencyTarget {
  readonly name: string
  readonly server: NodeServer
  readonly request: Omit<LatencyProbeInput, 'questions'>
  readonly fileBytes: number
  /** Uploads one file by curl. */
  upload(): Promise<unknown>
  download(): Promise<unknown>
  stop(): Promise<void>
}

/** Sallyport with one stored file, which the downloads fetch. */
export async function sallyportTarget({ server, account }: BenchEnvironment, plain: PlainFile): Promise<LatencyTarget> {
  const { authorization } = plain.headers
  await uploadByCurl(server.url, plain)
  const [stored] = (await account.call(files.list, {})).files
  if (!stored) throw new Error('The upload created no file')
  const deletedIds = new Set([stored.id])

  return {
    name: 'Sallyport',
    server,
    request: { url: `${server.url}${fillPath(files.key.path, { id: stored.id })}`, authorization },
    fileBytes: plain.bytes,
    async upload() {
      await uploadByCurl(server.url, plain)
      // Deletes uploaded files before the next upload begins, so that the account never exceeds its quota.
      const { files: listed } = await account.call(files.list, {})
      const uploaded = listed.filter(({ id }) => !deletedIds.has(id))
      for (const { id } of uploaded) deletedIds.add(id)
      await Promise.all(uploaded.map(({ id }) => account.call(files.remove, { params: { id } })))
    },
    download: () => curl(['--header', `authorization: ${authorization}`, `${server.url}/api/download/${stored.id}`]),
    stop: async () => undefined,
  }
}

/** A minimal server that moves the same bytes, with the same number of threads for disk I/O. */
export async function bareServerTarget({ folder }: BenchEnvironment, plain: PlainFile): Promise<LatencyTarget> {
  const server = await startNodeServer({
    args: [bareServer, folder, plain.path],
    environment: { UV_THREADPOOL_SIZE: '16' },
    watchesTicks: true,
  })
  return {
    name: 'bare server',
    server,
    request: { url: `${server.url}/question`, authorization: '' },
    fileBytes: plain.bytes,
    upload: () => uploadByCurl(server.url, plain),
    download: () => curl([`${server.url}/file`]),
    stop: server.stop,
  }
}

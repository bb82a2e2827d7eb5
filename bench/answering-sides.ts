import { fileURLToPath } from 'node:url'
import { fillPath } from '@sallyport/contract/endpoint'
import { files } from '@sallyport/contract/files'
import { curl, uploadByCurl } from './curl.ts'
import { type NodeServer, startNodeServer } from './node-server.ts'
import type { PlainFile } from './plain.ts'
import type { Asked } from './questioner.ts'
import type { Workbench } from './workbench.ts'

const bareServer = fileURLToPath(new URL('./bare-server.ts', import.meta.url))

/** A server that can be asked while it is kept busy. */
export interface AnsweringSide {
  readonly name: string
  readonly server: NodeServer
  readonly question: Omit<Asked, 'questions'>
  readonly fileBytes: number
  /** One file, by a process of its own. */
  upload(): Promise<unknown>
  download(): Promise<unknown>
  stop(): Promise<void>
}

/** Sallyport, with the file in it that is downloaded. */
export async function ownSide({ server, account }: Workbench, plain: PlainFile): Promise<AnsweringSide> {
  const { authorization } = plain.headers
  await uploadByCurl(server.url, plain)
  const [stored] = (await account.call(files.list, {})).files
  if (!stored) throw new Error('Nothing was stored')
  const removed = new Set([stored.id])

  return {
    name: 'Sallyport',
    server,
    question: { url: `${server.url}${fillPath(files.key.path, { id: stored.id })}`, authorization },
    fileBytes: plain.bytes,
    async upload() {
      await uploadByCurl(server.url, plain)
      // Gives the room back before the next upload begins, so that the account is never full.
      const { files: listed } = await account.call(files.list, {})
      const spare = listed.filter(({ id }) => !removed.has(id))
      for (const { id } of spare) removed.add(id)
      await Promise.all(spare.map(({ id }) => account.call(files.remove, { params: { id } })))
    },
    download: () => curl(['--header', `authorization: ${authorization}`, `${server.url}/api/download/${stored.id}`]),
    stop: async () => undefined,
  }
}

/** The least that a server can do with the same bytes, with as many threads for the disk. */
export async function bareSide({ folder }: Workbench, plain: PlainFile): Promise<AnsweringSide> {
  const server = await startNodeServer({
    words: [bareServer, folder, plain.path],
    environment: { UV_THREADPOOL_SIZE: '16' },
    watchesTicks: true,
  })
  return {
    name: 'bare server',
    server,
    question: { url: `${server.url}/question`, authorization: '' },
    fileBytes: plain.bytes,
    upload: () => uploadByCurl(server.url, plain),
    download: () => curl([`${server.url}/file`]),
    stop: server.stop,
  }
}

import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { fillPath } from '@sallyport/contract/endpoint'
import { files } from '@sallyport/contract/files'
import { curl, uploadByCurl } from './curl.ts'
import { type Finding, judge, keep } from './findings.ts'
import { makePlain, type PlainFile } from './plain.ts'
import type { Asked } from './questioner.ts'
import { percentile } from './spread.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, type Workbench } from './workbench.ts'

const atOnce = 10
/** Ten of them have to fit into an account at once. */
const mostBytes = 50e6
const questions = 400
const questionerPath = fileURLToPath(new URL('./questioner.ts', import.meta.url))

/** How long a small question takes to be answered while many transfers run, against a server with nothing else to do. */
export async function timeAnswers({ megabytes = mostBytes / 1e6 }: Wishes): Promise<Finding[]> {
  return onWorkbench(async (workbench) => {
    const { server, account } = workbench
    const plain = await makePlain(workbench, Math.min(mostBytes, megabytes * 1e6))
    await uploadByCurl(server.url, plain)
    const [stored] = (await account.call(files.list, {})).files
    if (!stored) throw new Error('Nothing was stored')

    const asked = { id: stored.id, authorization: `${plain.headers.authorization}` }
    const idle = await askMany(workbench, asked)
    const stop = new AbortController()
    const transfers = runTransfers(workbench, { plain, fileId: stored.id, signal: stop.signal })
    await transfers.allUnderWay
    const busy = await askMany(workbench, asked)
    stop.abort()
    await transfers.ended

    const [calm, crowded] = [percentile(idle, 0.99), percentile(busy, 0.99)]
    keep('answers', { idle, busy })
    const figures = `${crowded.toFixed(1)} ms ÷ ${calm.toFixed(1)} ms`
    return [
      judge({
        id: 'P10',
        measure: `JSON p99 under ${atOnce} uploads and ${atOnce} downloads ÷ idle (${figures})`,
        value: crowded / calm,
        digits: 1,
        aim: { atMost: 5 },
      }),
    ]
  })
}

/** Asks one question after the other; gives the milliseconds of each. */
async function askMany({ server }: Workbench, asked: Pick<Asked, 'authorization'> & { id: string }): Promise<number[]> {
  const { id, authorization } = asked
  const questioner = spawn(process.execPath, [questionerPath], { stdio: ['pipe', 'pipe', 'inherit'] })
  const question: Asked = { url: `${server.url}${fillPath(files.key.path, { id })}`, authorization, questions }
  questioner.stdin.end(JSON.stringify(question))
  return JSON.parse(`${await buffer(questioner.stdout)}`)
}

interface Transfers {
  readonly plain: PlainFile
  /** What is downloaded. */
  readonly fileId: string
  readonly signal: AbortSignal
}

/** Keeps as many uploads and downloads running until the signal, each by a process of its own. */
function runTransfers({ server, account }: Workbench, { plain, fileId, signal }: Transfers) {
  const authorization = ['--header', `authorization: ${plain.headers.authorization}`]
  let begun = 0
  const { promise: allUnderWay, resolve: sayUnderWay } = Promise.withResolvers<void>()

  async function repeat(transfer: () => Promise<unknown>): Promise<void> {
    begun += 1
    if (begun === 2 * atOnce) sayUnderWay()
    while (!signal.aborted) await transfer()
  }

  const uploads = Array.from({ length: atOnce }, () =>
    repeat(async () => {
      await uploadByCurl(server.url, plain)
      await removeSpare()
    }),
  )
  const downloads = Array.from({ length: atOnce }, () =>
    repeat(() => curl([...authorization, `${server.url}/api/download/${fileId}`])),
  )
  const removed = new Set([fileId])

  /** Gives the room back before the next upload begins, so that the account is never full. */
  async function removeSpare(): Promise<void> {
    const { files: listed } = await account.call(files.list, {})
    const spare = listed.filter(({ id }) => !removed.has(id))
    for (const { id } of spare) removed.add(id)
    await Promise.all(spare.map(({ id }) => account.call(files.remove, { params: { id } })))
  }

  return { allUnderWay, ended: Promise.all([...uploads, ...downloads]) }
}

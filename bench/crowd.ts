import { openAsBlob } from 'node:fs'
import { files } from '@sallyport/contract/files'
import { type Finding, judge } from './findings.ts'
import { makePlain, type PlainFile } from './plain.ts'
import { residentBytes, watchPeak } from './processes.ts'
import { onWorkbench } from './workbench.ts'

const atOnce = 3
const bytes = 200e6

/** Three uploads and three downloads at once, without a browser: what the server's memory comes to. */
export async function crowdServer(): Promise<Finding[]> {
  return onWorkbench(async (workbench) => {
    const { server, account } = workbench
    const plain = await makePlain(workbench, bytes)
    const idle = residentBytes(server.processId)
    await upload(server.url, plain)
    const [first] = (await account.call(files.list, {})).files
    if (!first) throw new Error('Nothing was stored')

    const peak = watchPeak(() => residentBytes(server.processId))
    await Promise.all([
      ...Array.from({ length: atOnce }, () => upload(server.url, plain)),
      ...Array.from({ length: atOnce }, () => download(`${server.url}/api/download/${first.id}`, plain)),
    ])
    return [
      judge({
        id: 'P5',
        measure: `server with ${atOnce} uploads and ${atOnce} downloads of ${bytes / 1e6} MB (${(idle / 1e6).toFixed(0)} MB before)`,
        value: peak() / 1e6,
        digits: 0,
        unit: 'MB',
        aim: { atMost: 200 },
      }),
    ]
  })
}

async function upload(url: string, { path, headers }: PlainFile): Promise<void> {
  const body = await openAsBlob(path)
  const response = await fetch(`${url}/api/upload`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(await response.text())
}

async function download(address: string, { headers: { authorization }, bytes: expected }: PlainFile): Promise<void> {
  const response = await fetch(address, { headers: { authorization } })
  let received = 0
  for await (const piece of response.body ?? []) received += piece.length
  if (received !== expected) throw new Error(`Only ${received} bytes came`)
}

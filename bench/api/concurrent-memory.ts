import { openAsBlob } from 'node:fs'
import { files } from '@sallyport/contract/files'
import { createPlainFile, type PlainFile } from '../browser/plain-upload.ts'
import { type Finding, judge } from '../lib/findings.ts'
import { residentBytes, watchPeak } from '../lib/processes.ts'
import { withBenchEnvironment } from '../lib/workbench.ts'

const concurrency = 3
const bytes = 200e6

/** Measures the server's memory during three concurrent uploads and three concurrent downloads without a browser. */
export async function measureConcurrentMemory(): Promise<Finding[]> {
  return withBenchEnvironment(async (workbench) => {
    const { server, account } = workbench
    const plain = await createPlainFile(workbench, bytes)
    const idle = residentBytes(server.processId)
    await upload(server.url, plain)
    const [first] = (await account.call(files.list, {})).files
    if (!first) throw new Error('The upload created no file')

    const peak = watchPeak(() => residentBytes(server.processId))
    await Promise.all([
      ...Array.from({ length: concurrency }, () => upload(server.url, plain)),
      ...Array.from({ length: concurrency }, () => download(`${server.url}/api/download/${first.id}`, plain)),
    ])
    return [
      judge({
        id: 'P5',
        measure: `server with ${concurrency} uploads and ${concurrency} downloads of ${bytes / 1e6} MB (${(idle / 1e6).toFixed(0)} MB before)`,
        value: peak() / 1e6,
        decimals: 0,
        unit: 'MB',
        target: { atMost: 200 },
      }),
    ]
  })
}

async function upload(url: string, { path, headers }: PlainFile): Promise<void> {
  const body = await openAsBlob(path)
  const response = await fetch(`${url}/api/upload`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(await response.text())
}

async function download(url: string, { headers: { authorization }, bytes: expected }: PlainFile): Promise<void> {
  const response = await fetch(url, { headers: { authorization } })
  let received = 0
  for await (const piece of response.body ?? []) received += piece.length
  if (received !== expected) throw new Error(`Received ${received} bytes, expected ${expected}`)
}

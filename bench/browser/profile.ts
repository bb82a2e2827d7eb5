import { files } from '@sallyport/contract/files'
import type { RandomFile } from '../../e2e/support/files/random-file.ts'
import { type Browser, download, type Page } from '../lib/devtools.ts'
import { saveResults } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { cpuSeconds } from '../lib/processes.ts'
import { table } from '../lib/table.ts'
import { type BenchEnvironment, warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { downloadThroughPage, uploadThroughPage } from './files-page.ts'
import { createPlainFile, postWhole } from './plain-upload.ts'
import { watchThreads } from './threads.ts'

/** Threads below this many seconds per gigabyte are omitted. */
const minShown = 0.03

/** Prints the CPU time of each browser thread during a transfer; has no target. */
export async function profileTransfers({ megabytes = 512 }: BenchOptions): Promise<never[]> {
  const bytes = megabytes * 1e6
  await withBenchEnvironment(async (workbench) => {
    const small = await workbench.makeFile('small.bin', warmUpBytes)
    const large = await workbench.makeFile('large.bin', bytes)
    const plainSmall = await createPlainFile(workbench, warmUpBytes)
    const plainLarge = await createPlainFile(workbench, bytes)
    await printProfile(workbench, { name: 'Plain upload, one request', bytes }, async (page) => {
      await postWhole(page, plainSmall)
      return () => postWhole(page, plainLarge)
    })
    await workbench.account.call(files.removeAll, {})
    await printProfile(workbench, { name: 'Sealed upload', bytes }, async (page) => {
      await uploadThroughPage(page, small)
      return () => uploadThroughPage(page, large)
    })
    await printProfile(workbench, { name: 'Sealed download', bytes }, async (page, browser) => {
      const save = ({ name }: RandomFile) => download(browser, () => downloadThroughPage(page, name))
      await save(small)
      return () => save(large)
    })
  })
  return []
}

interface ProfiledTransfer {
  readonly name: string
  readonly bytes: number
}

type Prepare = (page: Page, browser: Browser) => Promise<() => Promise<unknown>>

function printProfile(
  { server, inBrowser }: BenchEnvironment,
  { name, bytes }: ProfiledTransfer,
  prepare: Prepare,
): Promise<void> {
  return inBrowser(async (browser, page) => {
    const transfer = await prepare(page, browser)
    const threads = watchThreads(browser.processId)
    const before = cpuSeconds(server.processId)
    const startedAt = performance.now()
    await transfer()
    const seconds = (performance.now() - startedAt) / 1000
    const cpuByThread = new Map([['server', cpuSeconds(server.processId) - before], ...threads()])
    const perGigabyte = [...cpuByThread].map(([thread, used]) => [thread, (used / bytes) * 1e9] as const)
    const rows = perGigabyte.filter(([, used]) => used >= minShown).map(([thread, used]) => [thread, used.toFixed(2)])
    console.log(`\n${name}, ${bytes / 1e6} MB in ${seconds.toFixed(2)} s\n`)
    console.log(table([['thread', 'CPU s/GB'], ...rows]))
    saveResults(`profile ${name}`, { bytes, seconds, perGigabyte })
  })
}

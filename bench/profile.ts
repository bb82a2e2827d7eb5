import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { files } from '@sallyport/contract/files'
import type { Browser, Page } from './devtools.ts'
import { downloadThroughPage, uploadThroughPage } from './files-page.ts'
import { keep } from './findings.ts'
import { makePlain, postWhole } from './plain.ts'
import { cpuSeconds } from './processes.ts'
import { table } from './table.ts'
import { watchThreads } from './threads.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, type Workbench, warmUpBytes } from './workbench.ts'

/** Below this many seconds a gigabyte a thread is left out. */
const leastShown = 0.03

/** Prints on which threads of the browser a transfer spends its time; nothing is held against an aim. */
export async function profileTransfers({ megabytes = 512 }: Wishes): Promise<never[]> {
  const bytes = megabytes * 1e6
  await onWorkbench(async (workbench) => {
    const small = await workbench.makeFile('small.bin', warmUpBytes)
    const large = await workbench.makeFile('large.bin', bytes)
    const plainSmall = await makePlain(workbench, warmUpBytes)
    const plainLarge = await makePlain(workbench, bytes)
    await show(workbench, { name: 'Plain upload, one request', bytes }, async (page) => {
      await postWhole(page, plainSmall)
      return () => postWhole(page, plainLarge)
    })
    await workbench.account.call(files.removeAll, {})
    await show(workbench, { name: 'Sealed upload', bytes }, async (page) => {
      await uploadThroughPage(page, small)
      return () => uploadThroughPage(page, large)
    })
    await show(workbench, { name: 'Sealed download', bytes }, async (page, browser) => {
      const saved = await mkdtemp(join(workbench.folder, 'saved-'))
      await browser.saveInto(saved)
      await save(browser, page, small.name)
      return () => save(browser, page, large.name).finally(() => rm(saved, { recursive: true }))
    })
  })
  return []
}

async function save(browser: Browser, page: Page, name: string): Promise<void> {
  const saved = browser.nextDownload()
  await downloadThroughPage(page, name)
  await saved
}

interface Shown {
  readonly name: string
  readonly bytes: number
}

type Prepare = (page: Page, browser: Browser) => Promise<() => Promise<unknown>>

function show({ server, inBrowser }: Workbench, { name, bytes }: Shown, prepare: Prepare): Promise<void> {
  return inBrowser(async (browser, page) => {
    const transfer = await prepare(page, browser)
    const threads = watchThreads(browser.processId)
    const before = cpuSeconds(server.processId)
    const startedAt = performance.now()
    await transfer()
    const seconds = (performance.now() - startedAt) / 1000
    const spent = new Map([['server', cpuSeconds(server.processId) - before], ...threads()])
    const perGigabyte = [...spent].map(([thread, used]) => [thread, (used / bytes) * 1e9] as const)
    const rows = perGigabyte.filter(([, used]) => used >= leastShown).map(([thread, used]) => [thread, used.toFixed(2)])
    console.log(`\n${name}, ${bytes / 1e6} MB in ${seconds.toFixed(2)} s\n`)
    console.log(table([['thread', 'CPU s/GB'], ...rows]))
    keep(`profile ${name}`, { bytes, seconds, perGigabyte })
  })
}

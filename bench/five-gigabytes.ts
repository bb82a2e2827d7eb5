import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runAdmin } from '../e2e/support/admin.ts'
import { type RandomFile, sha256Of } from '../e2e/support/random-file.ts'
import type { Browser, Page } from './devtools.ts'
import { downloadThroughPage, uploadThroughPage } from './files-page.ts'
import { type Finding, judge, keep } from './findings.ts'
import { drawMemory, type Samples, sampleMemory } from './memory.ts'
import { largestRendererBytes, residentBytes } from './processes.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, type Workbench, warmUpBytes } from './workbench.ts'

const fullMegabytes = 5000
const rendererLimit = 300
const serverLimit = 256

/** Sends one very large file through the page and fetches it back, and draws what memory both sides took each second. */
export async function sendFiveGigabytes({ megabytes = fullMegabytes }: Wishes): Promise<Finding[]> {
  return onWorkbench(async (workbench) => {
    const { server, account, inBrowser } = workbench
    await runAdmin(server, 'licence', account.email, '--type', 'personal', '--storage-gb', '50')
    const small = await workbench.makeFile('small.bin', warmUpBytes)
    const large = await workbench.makeFile('large.bin', megabytes * 1e6)
    return inBrowser(async (browser, page) => {
      await uploadThroughPage(page, small)
      const upload = await sample(workbench, browser, () => uploadThroughPage(page, large))
      const download = await sample(workbench, browser, () => saveAndCompare(workbench, { browser, page, file: large }))
      const size = `${(megabytes / 1000).toFixed(1)} GB`
      const [uploadTitle, downloadTitle] = [`Upload of ${size} in Chromium`, `Download of ${size} in Chromium`]
      // The pictures are part of the documents: a smaller file does not replace them.
      if (megabytes === fullMegabytes) {
        draw(uploadTitle, 'upload', upload)
        draw(downloadTitle, 'download', download)
      }
      return [...tell(uploadTitle, upload), ...tell(downloadTitle, download)]
    })
  })
}

const sample = ({ server }: Workbench, browser: Browser, transfer: () => Promise<number>) =>
  sampleMemory(
    [
      {
        name: 'page and workers',
        colour: '#0b6bcb',
        limit: rendererLimit,
        bytes: () => largestRendererBytes(browser.processId),
      },
      { name: 'server', colour: '#b4490f', limit: serverLimit, bytes: () => residentBytes(server.processId) },
    ],
    transfer,
  )

/** Gives the seconds until the file was saved; throws unless it is the one that was uploaded. */
async function saveAndCompare(
  { folder: within }: Workbench,
  { browser, page, file }: { readonly browser: Browser; readonly page: Page; readonly file: RandomFile },
): Promise<number> {
  const saved = await mkdtemp(join(within, 'saved-'))
  await browser.saveInto(saved)
  const next = browser.nextDownload()
  const startedAt = performance.now()
  await downloadThroughPage(page, file.name)
  const path = await next
  const seconds = (performance.now() - startedAt) / 1000
  if ((await sha256Of(path)) !== file.sha256) throw new Error('What was saved is not what was uploaded')
  await rm(saved, { recursive: true })
  return seconds
}

function draw(title: string, name: string, { seconds, series }: Samples): void {
  const file = `five-gigabytes-${name}`
  drawMemory(file, title, series)
  keep(file, { seconds, series })
}

function tell(title: string, { seconds, series }: Samples): Finding[] {
  return series.map(({ name: side, points, limit }) =>
    judge({
      id: 'P6',
      measure: `${title}, ${seconds.toFixed(0)} s: ${side}`,
      value: Math.max(...points.map(([, megabytes]) => megabytes)),
      digits: 0,
      unit: 'MB',
      aim: { atMost: limit },
    }),
  )
}

import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runAdmin } from '../../e2e/support/account/admin.ts'
import { type RandomFile, sha256Of } from '../../e2e/support/files/random-file.ts'
import type { Browser, Page } from '../lib/devtools.ts'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import { drawMemory, type MemorySamples, sampleMemory } from '../lib/memory.ts'
import type { BenchOptions } from '../lib/options.ts'
import { largestRendererBytes, residentBytes } from '../lib/processes.ts'
import { type BenchEnvironment, warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { downloadThroughPage, uploadThroughPage } from './files-page.ts'

const defaultMegabytes = 5000
const rendererLimit = 300
const serverLimit = 256

/** Uploads and downloads one very large file through the page, and plots the memory of both sides each second. */
export async function measureLargeFile({ megabytes = defaultMegabytes }: BenchOptions): Promise<Finding[]> {
  return withBenchEnvironment(async (workbench) => {
    const { server, account, inBrowser } = workbench
    await runAdmin(server, 'licence', account.email, '--type', 'personal', '--storage-gb', '50')
    const small = await workbench.makeFile('small.bin', warmUpBytes)
    const large = await workbench.makeFile('large.bin', megabytes * 1e6)
    return inBrowser(async (browser, page) => {
      await uploadThroughPage(page, small)
      const upload = await sample(workbench, browser, () => uploadThroughPage(page, large))
      const download = await sample(workbench, browser, () =>
        downloadAndVerify(workbench, { browser, page, file: large }),
      )
      const size = `${(megabytes / 1000).toFixed(1)} GB`
      const [uploadTitle, downloadTitle] = [`Upload of ${size} in Chromium`, `Download of ${size} in Chromium`]
      // The plots are part of the documentation: runs with a smaller file do not replace them.
      if (megabytes === defaultMegabytes) {
        draw(uploadTitle, 'upload', upload)
        draw(downloadTitle, 'download', download)
      }
      return [...judgeMemory(uploadTitle, upload), ...judgeMemory(downloadTitle, download)]
    })
  })
}

const sample = ({ server }: BenchEnvironment, browser: Browser, transfer: () => Promise<number>) =>
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

/** Resolves to the seconds until the file was saved; throws if it differs from the uploaded file. */
async function downloadAndVerify(
  { folder: parentFolder }: BenchEnvironment,
  { browser, page, file }: { readonly browser: Browser; readonly page: Page; readonly file: RandomFile },
): Promise<number> {
  const saved = await mkdtemp(join(parentFolder, 'saved-'))
  await browser.setDownloadFolder(saved)
  const next = browser.nextDownload()
  const startedAt = performance.now()
  await downloadThroughPage(page, file.name)
  const path = await next
  const seconds = (performance.now() - startedAt) / 1000
  if ((await sha256Of(path)) !== file.sha256) throw new Error('The saved file differs from the uploaded file')
  await rm(saved, { recursive: true })
  return seconds
}

function draw(title: string, name: string, { seconds, series }: MemorySamples): void {
  const file = `five-gigabytes-${name}`
  drawMemory(file, title, series)
  saveResults(file, { seconds, series })
}

function judgeMemory(title: string, { seconds, series }: MemorySamples): Finding[] {
  return series.map(({ name: side, points, limit }) =>
    judge({
      id: 'P6',
      measure: `${title}, ${seconds.toFixed(0)} s: ${side}`,
      value: Math.max(...points.map(([, megabytes]) => megabytes)),
      decimals: 0,
      unit: 'MB',
      target: { atMost: limit },
    }),
  )
}

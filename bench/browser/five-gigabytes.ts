import { runAdmin } from '../../e2e/support/account/admin.ts'
import type { Browser } from '../lib/devtools.ts'
import { type Finding, saveResults } from '../lib/findings.ts'
import { drawMemory, judgeMemory, type MemorySamples, sampleMemory } from '../lib/memory.ts'
import type { BenchOptions } from '../lib/options.ts'
import { largestRendererBytes, residentBytes } from '../lib/processes.ts'
import { type BenchEnvironment, warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { saveThroughPage, uploadThroughPage } from './files-page.ts'

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
      const download = await sample(workbench, browser, () => saveThroughPage(browser, page, large))
      const size = `${(megabytes / 1000).toFixed(1)} GB`
      const [uploadTitle, downloadTitle] = [`Upload of ${size} in Chromium`, `Download of ${size} in Chromium`]
      // The plots are part of the documentation: runs with a smaller file do not replace them.
      if (megabytes === defaultMegabytes) {
        draw(uploadTitle, 'upload', upload)
        draw(downloadTitle, 'download', download)
      }
      return [...judgeMemory('P6', uploadTitle, upload), ...judgeMemory('P6', downloadTitle, download)]
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

function draw(title: string, name: string, { seconds, series }: MemorySamples): void {
  const file = `five-gigabytes-${name}`
  drawMemory(file, title, series)
  saveResults(file, { seconds, series })
}

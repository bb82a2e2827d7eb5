import { files } from '@sallyport/contract/files'
import { transferLimits } from '@sallyport/contract/limits'
import { alternate, measureBrowser, type Run } from '../lib/compare.ts'
import type { Page } from '../lib/devtools.ts'
import { type Finding, judge } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { ratioOf, report } from '../lib/report.ts'
import { type BenchEnvironment, warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { uploadThroughPage } from './files-page.ts'
import { createPlainFile, postSlices, postWhole } from './plain-upload.ts'

const yardstick = 'plain, one POST'
const sealed = 'sealed, by the page'
const { maxInFlight } = transferLimits

/** Compares an encrypted upload through the page with plain uploads of the same number of bytes. */
export async function compareUploads({ megabytes = 512, ...turns }: BenchOptions): Promise<Finding[]> {
  const bytes = megabytes * 1e6
  return withBenchEnvironment(async (workbench) => {
    const small = await workbench.makeFile('small.bin', warmUpBytes)
    const large = await workbench.makeFile('large.bin', bytes)
    const plainSmall = await createPlainFile(workbench, warmUpBytes)
    const plainLarge = await createPlainFile(workbench, bytes)

    const createSide = <File>(name: string, [first, second]: readonly [File, File], upload: Upload<File>) => ({
      name,
      run: () =>
        measureUpload(
          workbench,
          (page) => upload(page, first),
          (page) => upload(page, second),
        ),
    })
    const runs = await alternate(
      [
        createSide(yardstick, [plainSmall, plainLarge], postWhole),
        createSide(`plain, slices, ${maxInFlight} at a time`, [plainSmall, plainLarge], (page, file) =>
          postSlices(page, file, maxInFlight),
        ),
        createSide(sealed, [small, large], uploadThroughPage),
      ],
      turns,
    )
    report({ name: 'Upload', bytes, yardstick, runs })
    return [
      judge({
        id: 'P1',
        measure: 'sealed upload ÷ one plain request',
        value: ratioOf({ runs, yardstick }, sealed, 'seconds').median,
        target: { atLeast: 0.8 },
      }),
      judge({
        id: 'P1',
        measure: 'renderer during an upload',
        value: Math.max(...(runs.get(sealed) ?? []).map((run) => run.clientPeakBytes)) / 1e6,
        decimals: 0,
        unit: 'MB',
        target: { atMost: 256 },
      }),
    ]
  })
}

/** Resolves to the seconds. */
type Upload<File> = (page: Page, file: File) => Promise<number>
type PageWork = (page: Page) => Promise<number>

/** Each run opens a new browser, which first uploads a small file to warm up its code. */
function measureUpload(
  { server, account, inBrowser }: BenchEnvironment,
  warmUp: PageWork,
  upload: PageWork,
): Promise<Run> {
  return inBrowser(async (browser, page) => {
    await warmUp(page)
    const run = await measureBrowser(server.processId, browser, () => upload(page))
    await account.call(files.removeAll, {})
    return run
  })
}

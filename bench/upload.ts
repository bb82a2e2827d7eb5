import { files } from '@sallyport/contract/files'
import { transferLimits } from '@sallyport/contract/limits'
import { alternate, measure, type Run } from './compare.ts'
import type { Page } from './devtools.ts'
import { uploadThroughPage } from './files-page.ts'
import { type Finding, judge } from './findings.ts'
import { makePlain, postSlices, postWhole } from './plain.ts'
import { largestRendererBytes } from './processes.ts'
import { ratioOf, report } from './report.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, type Workbench, warmUpBytes } from './workbench.ts'

const yardstick = 'plain, one POST'
const sealed = 'sealed, by the page'
const { mostInFlight } = transferLimits

/** Uploads a file through the page, sealed, against the same number of bytes sent as they are. */
export async function compareUploads({ megabytes = 512, ...turns }: Wishes): Promise<Finding[]> {
  const bytes = megabytes * 1e6
  return onWorkbench(async (workbench) => {
    const small = await workbench.makeFile('small.bin', warmUpBytes)
    const large = await workbench.makeFile('large.bin', bytes)
    const plainSmall = await makePlain(workbench, warmUpBytes)
    const plainLarge = await makePlain(workbench, bytes)

    const side = <File>(name: string, [first, second]: readonly [File, File], upload: Upload<File>) => ({
      name,
      run: () =>
        watch(
          workbench,
          (page) => upload(page, first),
          (page) => upload(page, second),
        ),
    })
    const runs = await alternate(
      [
        side(yardstick, [plainSmall, plainLarge], postWhole),
        side(`plain, slices, ${mostInFlight} at a time`, [plainSmall, plainLarge], (page, file) =>
          postSlices(page, file, mostInFlight),
        ),
        side(sealed, [small, large], uploadThroughPage),
      ],
      turns,
    )
    report({ name: 'Upload', bytes, yardstick, runs })
    return [
      judge({
        id: 'P1',
        measure: 'sealed upload ÷ one plain request',
        value: ratioOf({ runs, yardstick }, sealed, 'seconds').median,
        aim: { atLeast: 0.8 },
      }),
      judge({
        id: 'P1',
        measure: 'renderer during an upload',
        value: Math.max(...(runs.get(sealed) ?? []).map((run) => run.clientPeakBytes)) / 1e6,
        digits: 0,
        unit: 'MB',
        aim: { atMost: 256 },
      }),
    ]
  })
}

/** Gives seconds. */
type Upload<File> = (page: Page, file: File) => Promise<number>
type Work = (page: Page) => Promise<number>

/** Each run has a browser of its own, which first uploads a little, so that no code is met for the first time. */
function watch({ server, account, inBrowser }: Workbench, warmUp: Work, upload: Work): Promise<Run> {
  return inBrowser(async (browser, page) => {
    await warmUp(page)
    const clientBytes = () => largestRendererBytes(browser.processId)
    const watched = { serverId: server.processId, clientId: browser.processId, clientBytes }
    const run = await measure(watched, () => upload(page))
    await account.call(files.removeAll, {})
    return run
  })
}

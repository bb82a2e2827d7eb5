import { files } from '@sallyport/contract/files'
import { transferLimits } from '@sallyport/contract/limits'
import type { RandomFile } from '../e2e/support/random-file.ts'
import { alternate, measure, type Run } from './compare.ts'
import type { Page } from './devtools.ts'
import { makePlain, postSlices, postWhole } from './plain.ts'
import { largestRendererBytes } from './processes.ts'
import { report } from './report.ts'
import { filePicker, onWorkbench, readWishes, type Wishes, type Workbench, warmUpBytes } from './workbench.ts'

const yardstick = 'plain, one POST'
const { mostInFlight } = transferLimits

/** Uploads a file through the page, sealed, against the same number of bytes sent as they are. */
export async function compareUploads({ megabytes, ...turns }: Wishes): Promise<void> {
  const bytes = megabytes * 1e6
  await onWorkbench(async (workbench) => {
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
        side('sealed, by the page', [small, large], uploadSealed),
      ],
      turns,
    )
    report({ name: 'Upload', bytes, yardstick, runs })
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

/** As a person does it: from the moment the file is chosen until it stands in the list. Gives seconds. */
async function uploadSealed(page: Page, { name, path }: RandomFile): Promise<number> {
  const listed = page.run(
    (picker, row) =>
      new Promise<number>((resolve) => {
        let chosenAt = 0
        const noteChoice = () => {
          chosenAt = performance.now()
        }
        document.querySelector(picker)?.addEventListener('change', noteChoice, { once: true, capture: true })
        const observer = new MutationObserver(() => {
          if (!document.querySelector(row)) return
          observer.disconnect()
          resolve((performance.now() - chosenAt) / 1000)
        })
        observer.observe(document.body, { childList: true, subtree: true, attributes: true })
      }),
    filePicker,
    `.file-row [title="${name}"]`,
  )
  await page.chooseFiles(filePicker, [path])
  return listed
}

if (import.meta.main) await compareUploads(readWishes())

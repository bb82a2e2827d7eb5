import { rm } from 'node:fs/promises'
import { type RandomFile, sha256Of } from '../../e2e/support/files/random-file.ts'
import { type Browser, download, type Page } from '../lib/devtools.ts'

/** Selector of the file input on the Files screen. */
export const filePicker = 'main input[type=file]'

/** Uploads a file through the page; resolves to the seconds from the file selection until its row appears. */
export async function uploadThroughPage(page: Page, { name, path }: RandomFile): Promise<number> {
  const listed = page.run(
    (picker, row) =>
      new Promise<number>((resolve) => {
        let selectedAt = 0
        const recordSelection = () => {
          selectedAt = performance.now()
        }
        document.querySelector(picker)?.addEventListener('change', recordSelection, { once: true, capture: true })
        const observer = new MutationObserver(() => {
          if (!document.querySelector(row)) return
          observer.disconnect()
          resolve((performance.now() - selectedAt) / 1000)
        })
        observer.observe(document.body, { childList: true, subtree: true, attributes: true })
      }),
    filePicker,
    `.file-row [title="${name}"]`,
  )
  await page.chooseFiles(filePicker, [path])
  return listed
}

/** Clicks Download in the row of a file, once the row exists. */
export async function downloadThroughPage(page: Page, name: string): Promise<void> {
  await page.waitForSelector(`.file-row [title="${name}"]`)
  await page.run((name) => {
    const row = document.querySelector(`.file-row [title="${name}"]`)?.closest('.file-row')
    const buttons = [...(row?.querySelectorAll('button') ?? [])]
    buttons.find(({ textContent }) => textContent.startsWith('Download'))?.click()
  }, name)
}

/** Throws if a saved file differs from the file that was sent, and deletes it. */
export async function verifySaved(path: string, { sha256 }: RandomFile): Promise<void> {
  if ((await sha256Of(path)) !== sha256) throw new Error(`${path} differs from the file that was sent`)
  await rm(path)
}

/** Downloads a file through the page and verifies it; resolves to the seconds until it was saved. */
export async function saveThroughPage(browser: Browser, page: Page, file: RandomFile): Promise<number> {
  const { path, seconds } = await download(browser, () => downloadThroughPage(page, file.name))
  await verifySaved(path, file)
  return seconds
}

import type { RandomFile } from '../e2e/support/random-file.ts'
import type { Page } from './devtools.ts'

/** The control that takes files on the page of an account. */
export const filePicker = 'main input[type=file]'

/** As a person does it: from the moment the file is chosen until it stands in the list. Gives seconds. */
export async function uploadThroughPage(page: Page, { name, path }: RandomFile): Promise<number> {
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

/** Presses Download in the row of a file, once it is there. */
export async function downloadThroughPage(page: Page, name: string): Promise<void> {
  await page.appears(`.file-row [title="${name}"]`)
  await page.run((name) => {
    const row = document.querySelector(`.file-row [title="${name}"]`)?.closest('.file-row')
    const buttons = [...(row?.querySelectorAll('button') ?? [])]
    buttons.find(({ textContent }) => textContent.startsWith('Download'))?.click()
  }, name)
}

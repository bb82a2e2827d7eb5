import { join } from 'node:path'
import { files } from '@sallyport/contract/files'
import { compare } from './compare.ts'
import { chooseYardstick, postPlain, uploadPlain } from './plain-upload.ts'
import { makeFile, type Stage, withStage } from './stage.ts'
import { ticketOf } from './stored.ts'

/** Measures the product's own upload, from choosing a file to its row in the list, against plain transfers of the same bytes. */
export async function benchUpload(byteCount: number, rounds: number): Promise<void> {
  await withStage(async (stage) => {
    const { page, folder } = stage
    const { sealedBytes } = await ticketOf(byteCount)
    const chosen = makeFile(join(folder, 'sealed.bin'), byteCount)
    await chooseYardstick(page, makeFile(join(folder, 'plain.bin'), sealedBytes))
    const afterwards = () => removeAll(stage)
    const plainSlices = async () => void (await uploadPlain(stage, byteCount, 3))

    await compare(stage, {
      title: 'upload',
      byteCount,
      rounds,
      sides: [
        { name: 'plain, one request', run: () => postPlain(stage, byteCount), afterwards },
        { name: 'plain slices, three at a time', run: plainSlices, afterwards },
        { name: 'sealed, through the page', run: () => uploadSealed(stage, chosen), afterwards },
      ],
    })
  })
}

async function uploadSealed({ page }: Stage, path: string): Promise<void> {
  await page.chooseFiles('input[type=file]:not(#yardstick)', [path])
  await page.run(
    () =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          const rows = [...document.querySelectorAll('li')].map((row) => row.textContent ?? '')
          if (rows.some((text) => text.includes('sealed.bin') && text.includes('remaining'))) return resolve()
          if (document.body.textContent?.includes('Failed to upload')) return reject(new Error('The upload failed'))
          setTimeout(look, 20)
        }
        look()
      }),
  )
}

/** Also leaves the page time to forget the upload's card, and the browser to collect what it no longer needs. */
async function removeAll({ account, page }: Stage): Promise<void> {
  await account.call(files.removeAll, {})
  await page.run(
    () =>
      new Promise<void>((resolve) => {
        const isListed = () =>
          [...document.querySelectorAll('li')].some((row) => row.textContent?.includes('sealed.bin'))
        const look = () => (isListed() ? setTimeout(look, 50) : resolve())
        setTimeout(look, 500)
      }),
  )
}

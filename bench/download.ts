import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sharing } from '@sallyport/contract/sharing'
import { compare } from './compare.ts'
import { chooseYardstick, uploadPlain } from './plain-upload.ts'
import { makeFile, type Stage, withStage } from './stage.ts'
import { ticketOf } from './stored.ts'

/** Measures the product's own download, from the click to the saved file, against the browser's own of the same bytes. */
export async function benchDownload(byteCount: number, rounds: number): Promise<void> {
  await withStage(async (stage) => {
    const { account, browser, page, folder } = stage
    const ticket = await ticketOf(byteCount)
    await chooseYardstick(page, makeFile(join(folder, 'plain.bin'), ticket.sealedBytes))
    const address = await sharePlain(stage, byteCount)
    await page.chooseFiles('input[type=file]:not(#yardstick)', [makeFile(join(folder, 'sealed.bin'), byteCount)])
    await waitForDownloadButton(stage)
    const saved = join(folder, 'saved')
    mkdirSync(saved)
    await browser.saveInto(saved)

    const download = (start: () => Promise<void>) => async () => {
      const ended = browser.nextDownload()
      await start()
      rmSync(await ended)
    }
    const afterwards = () => new Promise<void>((resolve) => setTimeout(resolve, 3000))
    await compare(stage, {
      title: 'download',
      byteCount,
      rounds,
      sides: [
        { name: 'plain, by the browser itself', run: download(() => saveAddress(stage, address)), afterwards },
        { name: 'sealed, through the page', run: download(() => pressDownload(stage)), afterwards },
      ],
    })
    await account.call(sharing.revoke, { params: { id: address.fileId } })
  })
}

interface PlainShare {
  readonly fileId: string
  readonly path: string
}

/** A share without a proof, so that the browser can fetch it by itself. */
async function sharePlain(stage: Stage, byteCount: number): Promise<PlainShare> {
  const { fileId, shareEnvelope } = await uploadPlain(stage, byteCount, 3)
  const { shareUrl } = await stage.account.call(sharing.share, {
    params: { id: fileId },
    body: { shareEncryptedFileKey: shareEnvelope },
  })
  return { fileId, path: shareUrl.replace('/s/', '/api/share/') }
}

const saveAddress = ({ page }: Stage, { path }: PlainShare): Promise<void> =>
  page.run((address) => {
    const link = document.createElement('a')
    link.href = address
    link.download = 'plain.bin'
    link.click()
  }, path)

/** The row's own button, by the words on it. */
const pressDownload = ({ page }: Stage): Promise<void> =>
  page.run(() => {
    const buttons = [...document.querySelectorAll('button')]
    buttons.find((button) => /^Download\s*sealed\.bin$/.test(button.textContent ?? ''))?.click()
  })

const waitForDownloadButton = ({ page }: Stage): Promise<void> =>
  page.run(
    () =>
      new Promise<void>((resolve) => {
        const look = () => {
          const buttons = [...document.querySelectorAll('button')]
          const isThere = buttons.some((button) => /^Download\s*sealed\.bin$/.test(button.textContent ?? ''))
          if (isThere) resolve()
          else setTimeout(look, 50)
        }
        look()
      }),
  )

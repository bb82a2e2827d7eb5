import { openAsBlob, statSync } from 'node:fs'
import { files } from '@sallyport/contract/files'
import { sharing } from '@sallyport/contract/sharing'
import { openEnvelope, sealedBytes, wrapFileKey } from '@sallyport/crypto'
import type { RandomFile } from '../../e2e/support/files/random-file.ts'
import { alternate, measureBrowser, type Run } from '../lib/compare.ts'
import { download, type Page } from '../lib/devtools.ts'
import { type Finding, judge } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { ratioOf, report } from '../lib/report.ts'
import { type BenchEnvironment, warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { downloadThroughPage, verifySaved } from './files-page.ts'

const yardstick = 'plain, by the browser'
const decrypted = 'sealed, by the page'
const lifetimeMinutes = 1440

/** Compares a decrypting download through the page with the browser's own download of the same sealed bytes. */
export async function compareDownloads({ megabytes = 512, ...turns }: BenchOptions): Promise<Finding[]> {
  const bytes = megabytes * 1e6
  return withBenchEnvironment(async (workbench) => {
    const small = await store(workbench, await workbench.makeFile('small.bin', warmUpBytes))
    const large = await store(workbench, await workbench.makeFile('large.bin', bytes))
    const runs = await alternate(
      [
        { name: yardstick, run: () => measureDownload(workbench, [small, large], savePlain) },
        { name: decrypted, run: () => measureDownload(workbench, [small, large], saveDecrypted) },
      ],
      turns,
    )
    report({ name: 'Download', bytes, yardstick, runs })
    return [
      judge({
        id: 'P2',
        measure: "sealed download to a saved file ÷ the browser's own",
        value: ratioOf({ runs, yardstick }, decrypted, 'seconds').median,
        target: { atLeast: 0.75 },
      }),
    ]
  })
}

interface StoredFile {
  readonly file: RandomFile
  /** A URL that serves the sealed bytes without authorization. */
  readonly url: string
  readonly sealedBytes: number
}

async function store({ account }: BenchEnvironment, file: RandomFile): Promise<StoredFile> {
  const id = await account.upload(new File([await openAsBlob(file.path)], file.name), lifetimeMinutes)
  const { encryptedFileKey } = await account.call(files.key, { params: { id } })
  const { fileKey, keys } = await openEnvelope({
    envelope: encryptedFileKey,
    root: account.accountKey,
    wrapType: 'account',
  })
  const shareEncryptedFileKey = await wrapFileKey({ fileKey, keys, root: account.accountKey, wrapType: 'share' })
  const { shareUrl } = await account.call(sharing.share, { params: { id }, body: { shareEncryptedFileKey } })
  return { file, url: shareUrl.replace('/s/', '/api/share/'), sealedBytes: sealedBytes(keys.header) }
}

interface DownloadMethod {
  start(page: Page, stored: StoredFile): Promise<void>
  /** Throws when the saved file has the wrong content. */
  verify(path: string, stored: StoredFile): Promise<void>
}

/** Each run opens a new browser, which first saves a small file to warm up its code. */
const measureDownload = (
  { server, inBrowser }: BenchEnvironment,
  [small, large]: readonly [StoredFile, StoredFile],
  method: DownloadMethod,
): Promise<Run> =>
  inBrowser(async (browser, page) => {
    const save = async (stored: StoredFile): Promise<number> => {
      const { path, seconds } = await download(browser, () => method.start(page, stored))
      await method.verify(path, stored)
      return seconds
    }
    await save(small)
    return measureBrowser(server.processId, browser, () => save(large))
  })

const savePlain: DownloadMethod = {
  start: (page, { url }) =>
    page.run((href) => Object.assign(document.createElement('a'), { href, download: '' }).click(), url),
  async verify(path, stored) {
    if (statSync(path).size !== stored.sealedBytes) throw new Error(`${path} is incomplete`)
  },
}

const saveDecrypted: DownloadMethod = {
  start: (page, { file }) => downloadThroughPage(page, file.name),
  verify: (path, { file }) => verifySaved(path, file),
}

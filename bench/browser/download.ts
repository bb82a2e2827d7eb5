import { openAsBlob, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { files } from '@sallyport/contract/files'
import { sharing } from '@sallyport/contract/sharing'
import { openEnvelope, sealedBytes, wrapFileKey } from '@sallyport/crypto'
import { type RandomFile, sha256Of } from '../../e2e/support/files/random-file.ts'
import { alternate, measure, type Run } from '../lib/compare.ts'
import type { Page } from '../lib/devtools.ts'
import { type Finding, judge } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { largestRendererBytes } from '../lib/processes.ts'
import { ratioOf, report } from '../lib/report.ts'
import { type BenchEnvironment, warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { downloadThroughPage } from './files-page.ts'

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
async function measureDownload(
  workbench: BenchEnvironment,
  [small, large]: readonly [StoredFile, StoredFile],
  download: DownloadMethod,
): Promise<Run> {
  const folder = await mkdtemp(join(workbench.folder, 'saved-'))
  const run = await workbench.inBrowser(async (browser, page) => {
    await browser.setDownloadFolder(folder)
    const save = async (stored: StoredFile): Promise<number> => {
      const saved = browser.nextDownload()
      const startedAt = performance.now()
      await download.start(page, stored)
      const path = await saved
      const seconds = (performance.now() - startedAt) / 1000
      await download.verify(path, stored)
      return seconds
    }
    await save(small)
    const clientBytes = () => largestRendererBytes(browser.processId)
    const watched = { serverId: workbench.server.processId, clientId: browser.processId, clientBytes }
    return measure(watched, () => save(large))
  })
  await rm(folder, { recursive: true })
  return run
}

const savePlain: DownloadMethod = {
  start: (page, { url }) =>
    page.run((href) => Object.assign(document.createElement('a'), { href, download: '' }).click(), url),
  async verify(path, stored) {
    if (statSync(path).size !== stored.sealedBytes) throw new Error(`${path} is incomplete`)
  },
}

const saveDecrypted: DownloadMethod = {
  start: (page, { file }) => downloadThroughPage(page, file.name),
  async verify(path, { file }) {
    if ((await sha256Of(path)) !== file.sha256) throw new Error(`${path} differs from the uploaded file`)
  },
}

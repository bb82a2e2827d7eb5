import { openAsBlob, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { files } from '@sallyport/contract/files'
import { sharing } from '@sallyport/contract/sharing'
import { openEnvelope, sealedBytes, wrapFileKey } from '@sallyport/crypto'
import { type RandomFile, sha256Of } from '../e2e/support/random-file.ts'
import { alternate, measure, type Run } from './compare.ts'
import type { Page } from './devtools.ts'
import { downloadThroughPage } from './files-page.ts'
import { type Finding, judge } from './findings.ts'
import { largestRendererBytes } from './processes.ts'
import { ratioOf, report } from './report.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, type Workbench, warmUpBytes } from './workbench.ts'

const yardstick = 'plain, by the browser'
const opened = 'sealed, by the page'
const lifetimeMinutes = 1440

/** Saves a file through the page, opened, against the browser's own download of its sealed bytes. */
export async function compareDownloads({ megabytes = 512, ...turns }: Wishes): Promise<Finding[]> {
  const bytes = megabytes * 1e6
  return onWorkbench(async (workbench) => {
    const small = await store(workbench, await workbench.makeFile('small.bin', warmUpBytes))
    const large = await store(workbench, await workbench.makeFile('large.bin', bytes))
    const runs = await alternate(
      [
        { name: yardstick, run: () => watch(workbench, [small, large], savePlain) },
        { name: opened, run: () => watch(workbench, [small, large], saveOpened) },
      ],
      turns,
    )
    report({ name: 'Download', bytes, yardstick, runs })
    return [
      judge({
        id: 'P2',
        measure: "sealed download to a saved file ÷ the browser's own",
        value: ratioOf({ runs, yardstick }, opened, 'seconds').median,
        aim: { atLeast: 0.75 },
      }),
    ]
  })
}

interface StoredFile {
  readonly file: RandomFile
  /** An address that answers the sealed bytes to anybody. */
  readonly address: string
  readonly sealedBytes: number
}

async function store({ account }: Workbench, file: RandomFile): Promise<StoredFile> {
  const id = await account.upload(new File([await openAsBlob(file.path)], file.name), lifetimeMinutes)
  const { encryptedFileKey } = await account.call(files.key, { params: { id } })
  const { fileKey, keys } = await openEnvelope({
    envelope: encryptedFileKey,
    root: account.accountKey,
    wrapType: 'account',
  })
  const shareEncryptedFileKey = await wrapFileKey({ fileKey, keys, root: account.accountKey, wrapType: 'share' })
  const { shareUrl } = await account.call(sharing.share, { params: { id }, body: { shareEncryptedFileKey } })
  return { file, address: shareUrl.replace('/s/', '/api/share/'), sealedBytes: sealedBytes(keys.header) }
}

interface Download {
  begin(page: Page, stored: StoredFile): Promise<void>
  /** Throws when what was saved is not what it should be. */
  check(path: string, stored: StoredFile): Promise<void>
}

/** Each run has a browser of its own, which first saves a small file, so that no code is met for the first time. */
async function watch(
  workbench: Workbench,
  [small, large]: readonly [StoredFile, StoredFile],
  download: Download,
): Promise<Run> {
  const folder = await mkdtemp(join(workbench.folder, 'saved-'))
  const run = await workbench.inBrowser(async (browser, page) => {
    await browser.saveInto(folder)
    const save = async (stored: StoredFile): Promise<number> => {
      const saved = browser.nextDownload()
      const startedAt = performance.now()
      await download.begin(page, stored)
      const path = await saved
      const seconds = (performance.now() - startedAt) / 1000
      await download.check(path, stored)
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

const savePlain: Download = {
  begin: (page, { address }) =>
    page.run((href) => Object.assign(document.createElement('a'), { href, download: '' }).click(), address),
  async check(path, stored) {
    if (statSync(path).size !== stored.sealedBytes) throw new Error(`${path} is not whole`)
  },
}

const saveOpened: Download = {
  begin: (page, { file }) => downloadThroughPage(page, file.name),
  async check(path, { file }) {
    if ((await sha256Of(path)) !== file.sha256) throw new Error(`${path} is not what was uploaded`)
  },
}

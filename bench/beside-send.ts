import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { files } from '@sallyport/contract/files'
import { sha256Of } from '../e2e/support/random-file.ts'
import { alternate, measure, type Run } from './compare.ts'
import { type Browser, openBrowser } from './devtools.ts'
import { downloadThroughPage, uploadThroughPage } from './files-page.ts'
import { type Finding, judge, notRun } from './findings.ts'
import {
  openDownloadFromSend,
  openSend,
  type PeerSend,
  pressDownload,
  startSend,
  uploadToSend,
  whyNotSend,
} from './peer-send.ts'
import { largestRendererBytes } from './processes.ts'
import { ratioOf, report } from './report.ts'
import { spreadOf } from './spread.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, type Workbench } from './workbench.ts'

const peer = 'timvisee/send'
const ours = 'Sallyport'
const measures = {
  cpu: 'server CPU, upload ÷ timvisee/send',
  upload: "upload, speed ÷ timvisee/send's fastest run",
  download: 'download to a saved file, speed ÷ timvisee/send',
}

/** Uploads and downloads through the pages of both, in the same browser on the same machine. */
export async function compareWithSend(wishes: Wishes): Promise<Finding[]> {
  const { peerSend, peerNode, megabytes = 100, ...turns } = wishes
  const reason = whyNotSend(peerSend)
  if (reason !== null || peerSend === undefined) {
    const why = reason ?? ''
    return [notRun('P3', measures.cpu, why), notRun('P7', measures.upload, why), notRun('P7', measures.download, why)]
  }
  const bytes = megabytes * 1e6
  return onWorkbench(async (workbench) => {
    const send = await startSend(peerSend, peerNode)
    try {
      const moved = await moveBothWays({ workbench, send, bytes }, turns)
      report({ name: 'Upload beside send', bytes, yardstick: peer, runs: moved.uploads })
      report({ name: 'Download beside send', bytes, yardstick: peer, runs: moved.downloads })
      return conclude(moved)
    } finally {
      await send.stop()
    }
  })
}

type Runs = ReadonlyMap<string, readonly Run[]>

function conclude({ uploads, downloads }: { readonly uploads: Runs; readonly downloads: Runs }): Finding[] {
  const fastest = Math.min(...(uploads.get(peer) ?? []).map(({ seconds }) => seconds))
  const usual = spreadOf((uploads.get(ours) ?? []).map(({ seconds }) => seconds)).median
  const cpu = ratioOf({ runs: uploads, yardstick: peer }, ours, 'serverCpuSeconds').median
  const download = ratioOf({ runs: downloads, yardstick: peer }, ours, 'seconds').median
  return [
    judge({ id: 'P3', measure: measures.cpu, value: cpu, aim: { atMost: 0.3 } }),
    judge({ id: 'P7', measure: measures.upload, value: fastest / usual, digits: 1, aim: { atLeast: 7 } }),
    judge({ id: 'P7', measure: measures.download, value: download, aim: { atLeast: 1.5 } }),
  ]
}

interface Stage {
  readonly workbench: Workbench
  readonly send: PeerSend
  readonly bytes: number
}

/** Each run has a browser of its own. Every upload leaves something behind that the downloads then fetch. */
async function moveBothWays({ workbench, send, bytes }: Stage, turns: { rounds: number; patience: number }) {
  const { server, account, inBrowser, folder } = workbench
  const file = await workbench.makeFile('both.bin', bytes)
  let link = ''

  const uploadTheirs = () =>
    inFreshBrowser(async (browser) => {
      const page = await openSend(browser, send.url)
      return watch(send.processId, browser, async () => {
        const uploaded = await uploadToSend(page, file.path)
        link = uploaded.link
        return uploaded.seconds
      })
    })
  const uploadOurs = async () => {
    await account.call(files.removeAll, {})
    return inBrowser((browser, page) => watch(server.processId, browser, () => uploadThroughPage(page, file)))
  }
  const downloadTheirs = () =>
    inFreshBrowser(async (browser) => {
      const page = await openDownloadFromSend(browser, link)
      return save(browser, send.processId, () => pressDownload(page))
    })
  const downloadOurs = () =>
    inBrowser((browser, page) => save(browser, server.processId, () => downloadThroughPage(page, file.name)))

  async function save(browser: Browser, serverId: number, begin: () => Promise<void>): Promise<Run> {
    const saved = await mkdtemp(join(folder, 'saved-'))
    await browser.saveInto(saved)
    const next = browser.nextDownload()
    const run = await watch(serverId, browser, async () => {
      const startedAt = performance.now()
      await begin()
      await next
      return (performance.now() - startedAt) / 1000
    })
    if ((await sha256Of(await next)) !== file.sha256) throw new Error('What was saved is not what was uploaded')
    await rm(saved, { recursive: true })
    return run
  }

  const sides = (theirs: () => Promise<Run>, own: () => Promise<Run>) => [
    { name: peer, run: theirs },
    { name: ours, run: own },
  ]
  const uploads = await alternate(sides(uploadTheirs, uploadOurs), turns)
  const downloads = await alternate(sides(downloadTheirs, downloadOurs), turns)
  return { uploads, downloads }
}

async function inFreshBrowser(work: (browser: Browser) => Promise<Run>): Promise<Run> {
  const browser = await openBrowser()
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

const watch = (serverId: number, browser: Browser, transfer: () => Promise<number>): Promise<Run> =>
  measure(
    { serverId, clientId: browser.processId, clientBytes: () => largestRendererBytes(browser.processId) },
    transfer,
  )

import { files } from '@sallyport/contract/files'
import { downloadThroughPage, uploadThroughPage, verifySaved } from '../browser/files-page.ts'
import type { PeerServer } from '../lib/child-process.ts'
import { alternate, measureBrowser, type Run } from '../lib/compare.ts'
import { type Browser, download, withBrowser } from '../lib/devtools.ts'
import { type Finding, judge, notRun } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { ratioOf, report } from '../lib/report.ts'
import { spreadOf } from '../lib/statistics.ts'
import { type BenchEnvironment, withBenchEnvironment } from '../lib/workbench.ts'
import { clickDownload, openDownloadFromSend, openSend, sendProblem, startSend, uploadToSend } from './peer-send.ts'

const peer = 'timvisee/send'
const ours = 'Sallyport'
const measures = {
  cpu: 'server CPU, upload ÷ timvisee/send',
  upload: "upload, speed ÷ timvisee/send's fastest run",
  download: 'download to a saved file, speed ÷ timvisee/send',
}

/** Uploads and downloads through both applications, in the same browser on the same machine. */
export async function compareWithSend(options: BenchOptions): Promise<Finding[]> {
  const { peerSend, peerNode, megabytes = 100, ...turns } = options
  const reason = sendProblem(peerSend)
  if (reason !== null || peerSend === undefined) {
    const why = reason ?? ''
    return [notRun('P3', measures.cpu, why), notRun('P7', measures.upload, why), notRun('P7', measures.download, why)]
  }
  const bytes = megabytes * 1e6
  return withBenchEnvironment(async (workbench) => {
    const send = await startSend(peerSend, peerNode)
    try {
      const results = await uploadAndDownload({ workbench, send, bytes }, turns)
      report({ name: 'Upload compared with send', bytes, yardstick: peer, runs: results.uploads })
      report({ name: 'Download compared with send', bytes, yardstick: peer, runs: results.downloads })
      return judgeTransfers(results)
    } finally {
      await send.stop()
    }
  })
}

type Runs = ReadonlyMap<string, readonly Run[]>

function judgeTransfers({ uploads, downloads }: { readonly uploads: Runs; readonly downloads: Runs }): Finding[] {
  const fastest = Math.min(...(uploads.get(peer) ?? []).map(({ seconds }) => seconds))
  const ownMedian = spreadOf((uploads.get(ours) ?? []).map(({ seconds }) => seconds)).median
  const cpu = ratioOf({ runs: uploads, yardstick: peer }, ours, 'serverCpuSeconds').median
  const download = ratioOf({ runs: downloads, yardstick: peer }, ours, 'seconds').median
  return [
    judge({ id: 'P3', measure: measures.cpu, value: cpu, target: { atMost: 0.3 } }),
    judge({ id: 'P7', measure: measures.upload, value: fastest / ownMedian, decimals: 1, target: { atLeast: 7 } }),
    judge({ id: 'P7', measure: measures.download, value: download, target: { atLeast: 1.5 } }),
  ]
}

interface TransferSetup {
  readonly workbench: BenchEnvironment
  readonly send: PeerServer
  readonly bytes: number
}

/** Each run opens a new browser. The downloads fetch the files of the last uploads. */
async function uploadAndDownload(
  { workbench, send, bytes }: TransferSetup,
  turns: { rounds: number; maxWaitSeconds: number },
) {
  const { server, account, inBrowser } = workbench
  const file = await workbench.makeFile('both.bin', bytes)
  let link = ''

  const uploadToPeer = () =>
    withBrowser(async (browser) => {
      const page = await openSend(browser, send.url)
      return measureBrowser(send.processId, browser, async () => {
        const uploaded = await uploadToSend(page, file.path)
        link = uploaded.link
        return uploaded.seconds
      })
    })
  const uploadToSallyport = async () => {
    await account.call(files.removeAll, {})
    return inBrowser((browser, page) => measureBrowser(server.processId, browser, () => uploadThroughPage(page, file)))
  }
  const downloadFromPeer = () =>
    withBrowser(async (browser) => {
      const page = await openDownloadFromSend(browser, link)
      return save(browser, send.processId, () => clickDownload(page))
    })
  const downloadFromSallyport = () =>
    inBrowser((browser, page) => save(browser, server.processId, () => downloadThroughPage(page, file.name)))

  const save = (browser: Browser, serverId: number, start: () => Promise<void>): Promise<Run> =>
    measureBrowser(serverId, browser, async () => {
      const { path, seconds } = await download(browser, start)
      await verifySaved(path, file)
      return seconds
    })

  const sides = (peerRun: () => Promise<Run>, ownRun: () => Promise<Run>) => [
    { name: peer, run: peerRun },
    { name: ours, run: ownRun },
  ]
  const uploads = await alternate(sides(uploadToPeer, uploadToSallyport), turns)
  const downloads = await alternate(sides(downloadFromPeer, downloadFromSallyport), turns)
  return { uploads, downloads }
}

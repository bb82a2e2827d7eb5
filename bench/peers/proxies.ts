import '../../tools/require-own-node.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { files } from '@sallyport/contract/files'
import { type RandomFile, sha256Of } from '../../e2e/support/files/random-file.ts'
import { startHostileProxy } from '../../e2e/support/network/hostile-proxy.ts'
import { isNginxInstalled, nginxMissingMessage, startNginx, typicalSite } from '../../e2e/support/network/nginx.ts'
import { downloadThroughPage, uploadThroughPage } from '../browser/files-page.ts'
import { type BenchEnvironment, withBenchEnvironment } from '../lib/workbench.ts'

// npm run bench:proxies -- --mb 1000 --cut 20
const { values } = parseArgs({
  options: { mb: { type: 'string', default: '1000' }, cut: { type: 'string', default: '20' } },
})
const bytes = Number(values.mb) * 1e6
const cutAfterMs = Number(values.cut) * 1000

interface TestedProxy {
  readonly url: string
  /** Describes how the proxy disturbed the traffic. */
  describe(): string
  stop(): Promise<void>
}

type StartProxy = (serverUrl: string) => Promise<TestedProxy>

const behindNginx =
  (buffersRequests: boolean): StartProxy =>
  async (serverUrl) => ({ ...(await startNginx(serverUrl, typicalSite({ buffersRequests }))), describe: () => '' })

const behindProxy =
  (proxyOptions: Parameters<typeof startHostileProxy>[1]): StartProxy =>
  async (serverUrl) => {
    const { url, cutCount, rejectedPaths, socketPaths, close } = await startHostileProxy(serverUrl, proxyOptions)
    const ownSockets = () => socketPaths.filter((path) => path.includes('upload')).length
    const describe = () => `${cutCount()} cuts, ${rejectedPaths.length} bodies rejected, ${ownSockets()} upload sockets`
    return { url, describe, stop: close }
  }

const proxies: readonly (readonly [name: string, start: StartProxy])[] = [
  ...(isNginxInstalled
    ? ([
        ['nginx, buffering requests', behindNginx(true)],
        ['nginx, streaming requests', behindNginx(false)],
      ] as const)
    : []),
  [`cut every ${values.cut} s`, behindProxy({ cutAfterMs, maxBytesPerSecond: 25e6 })],
  ['bodies of 1 MB at most', behindProxy({ maxBodyBytes: 1024 * 1024 })],
]

/** Uploads and downloads a file through the page, and formats the times; throws if the files differ. */
async function transferBothWays(
  { inBrowser, folder }: BenchEnvironment,
  file: RandomFile,
  proxy: TestedProxy,
): Promise<string> {
  const saved = await mkdtemp(join(folder, 'saved-'))
  const seconds = await inBrowser(async (browser, page) => {
    await browser.setDownloadFolder(saved)
    const up = await uploadThroughPage(page, file)
    const download = browser.nextDownload()
    const startedAt = performance.now()
    await downloadThroughPage(page, file.name)
    const path = await download
    const down = (performance.now() - startedAt) / 1000
    if ((await sha256Of(path)) !== file.sha256) throw new Error('The downloaded file differs from the uploaded file')
    return { up, down }
  }, proxy.url)
  await rm(saved, { recursive: true })
  return `up ${seconds.up.toFixed(1)} s, down ${seconds.down.toFixed(1)} s, the same SHA-256`
}

if (!isNginxInstalled) console.log(nginxMissingMessage)
await withBenchEnvironment(async (workbench) => {
  const { server, account } = workbench
  const file = await workbench.makeFile('passing.bin', bytes)
  for (const [name, start] of proxies) {
    const proxy = await start(server.url)
    try {
      console.log(`${name}: ${await transferBothWays(workbench, file, proxy)}; ${proxy.describe()}`)
    } finally {
      await proxy.stop()
    }
    await account.call(files.removeAll, {})
  }
})

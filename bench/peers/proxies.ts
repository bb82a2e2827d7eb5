import '../../tools/require-own-node.ts'
import { parseArgs } from 'node:util'
import { files } from '@sallyport/contract/files'
import type { RandomFile } from '../../e2e/support/files/random-file.ts'
import { startHostileProxy } from '../../e2e/support/network/hostile-proxy.ts'
import { isNginxInstalled, nginxMissingMessage, startNginx, typicalSite } from '../../e2e/support/network/nginx.ts'
import { saveThroughPage, uploadThroughPage } from '../browser/files-page.ts'
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
const transferBothWays = ({ inBrowser }: BenchEnvironment, file: RandomFile, proxy: TestedProxy): Promise<string> =>
  inBrowser(async (browser, page) => {
    const up = await uploadThroughPage(page, file)
    const down = await saveThroughPage(browser, page, file)
    return `up ${up.toFixed(1)} s, down ${down.toFixed(1)} s, the same SHA-256`
  }, proxy.url)

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

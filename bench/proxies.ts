import '../tools/require-own-node.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { files } from '@sallyport/contract/files'
import { startHostileProxy } from '../e2e/support/hostile-proxy.ts'
import { nginxIsHere, nginxMissing, startNginx, usualSite } from '../e2e/support/nginx.ts'
import { type RandomFile, sha256Of } from '../e2e/support/random-file.ts'
import { downloadThroughPage, uploadThroughPage } from './files-page.ts'
import { onWorkbench, type Workbench } from './workbench.ts'

// npm run bench:proxies -- --mb 1000 --cut 20
const { values } = parseArgs({
  options: { mb: { type: 'string', default: '1000' }, cut: { type: 'string', default: '20' } },
})
const bytes = Number(values.mb) * 1e6
const cutAfterMs = Number(values.cut) * 1000

interface Between {
  readonly url: string
  /** What it did to what passed. */
  tell(): string
  stop(): Promise<void>
}

type Start = (serverUrl: string) => Promise<Between>

const behindNginx =
  (buffersRequests: boolean): Start =>
  async (serverUrl) => ({ ...(await startNginx(serverUrl, usualSite({ buffersRequests }))), tell: () => '' })

const behindProxy =
  (habits: Parameters<typeof startHostileProxy>[1]): Start =>
  async (serverUrl) => {
    const { url, cuts, refused, sockets, close } = await startHostileProxy(serverUrl, habits)
    const ownSockets = () => sockets.filter((path) => path.includes('upload')).length
    const tell = () => `${cuts()} cuts, ${refused.length} bodies refused, ${ownSockets()} upload sockets`
    return { url, tell, stop: close }
  }

const passages: readonly (readonly [name: string, start: Start])[] = [
  ...(nginxIsHere
    ? ([
        ['nginx, gathering requests', behindNginx(true)],
        ['nginx, passing requests on', behindNginx(false)],
      ] as const)
    : []),
  [`cut every ${values.cut} s`, behindProxy({ cutAfterMs, mostBytesPerSecond: 25e6 })],
  ['bodies of 1 MB at most', behindProxy({ mostBodyBytes: 1024 * 1024 })],
]

/** Sends a file up and down again through the page, and says how long each took; throws when it is not the same. */
async function pass({ inBrowser, folder }: Workbench, file: RandomFile, between: Between): Promise<string> {
  const saved = await mkdtemp(join(folder, 'saved-'))
  const seconds = await inBrowser(async (browser, page) => {
    await browser.saveInto(saved)
    const up = await uploadThroughPage(page, file)
    const download = browser.nextDownload()
    const startedAt = performance.now()
    await downloadThroughPage(page, file.name)
    const path = await download
    const down = (performance.now() - startedAt) / 1000
    if ((await sha256Of(path)) !== file.sha256) throw new Error('What came back is another file')
    return { up, down }
  }, between.url)
  await rm(saved, { recursive: true })
  return `up ${seconds.up.toFixed(1)} s, down ${seconds.down.toFixed(1)} s, the same SHA-256`
}

if (!nginxIsHere) console.log(nginxMissing)
await onWorkbench(async (workbench) => {
  const { server, account } = workbench
  const file = await workbench.makeFile('passing.bin', bytes)
  for (const [name, start] of passages) {
    const between = await start(server.url)
    try {
      console.log(`${name}: ${await pass(workbench, file, between)}; ${between.tell()}`)
    } finally {
      await between.stop()
    }
    await account.call(files.removeAll, {})
  }
})

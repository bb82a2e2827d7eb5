import '../tools/require-own-node.ts'
import { measureApiLatency } from './api/api-latency.ts'
import { measureBackup } from './api/backup.ts'
import { measureConcurrentMemory } from './api/concurrent-memory.ts'
import { measureLiveEvents } from './api/live-events.ts'
import { measureIdleSockets } from './api/live-sockets.ts'
import { measureManyFiles } from './api/many-files.ts'
import { measureManyUsers } from './api/many-users.ts'
import { measureSessionLoad } from './api/session-load.ts'
import { compareDownloads } from './browser/download.ts'
import { measureLargeFile } from './browser/five-gigabytes.ts'
import { comparePortal } from './browser/portal.ts'
import { measurePortalMemory } from './browser/portal-memory.ts'
import { profileTransfers } from './browser/profile.ts'
import { measureRelay } from './browser/relay.ts'
import { compareSmallFiles } from './browser/small-files.ts'
import { compareUploads } from './browser/upload.ts'
import { measureWebVitals } from './browser/web-vitals.ts'
import { measureFloods } from './floods/floods.ts'
import { type Finding, printFindings, saveResults } from './lib/findings.ts'
import { type BenchOptions, parseBenchOptions } from './lib/options.ts'
import { compareWithNginx } from './peers/compare-nginx.ts'
import { compareWithPairDrop, compareWithPairDropDelayed } from './peers/compare-pairdrop.ts'
import { compareWithSend } from './peers/compare-send.ts'

const benchmarks: Readonly<Record<string, (input: BenchOptions) => Promise<readonly Finding[]>>> = {
  // Runs first: it spawns many processes, which becomes slower as this process grows.
  answers: measureApiLatency,
  upload: compareUploads,
  download: compareDownloads,
  crowd: measureConcurrentMemory,
  'five-gigabytes': measureLargeFile,
  nginx: compareWithNginx,
  send: compareWithSend,
  'live-events': measureLiveEvents,
  'live-sockets': measureIdleSockets,
  rooms: measureSessionLoad,
  floods: measureFloods,
  backup: measureBackup,
  'many-files': measureManyFiles,
  'many-users': measureManyUsers,
  'small-files': compareSmallFiles,
  portal: comparePortal,
  relay: measureRelay,
  'portal-memory': measurePortalMemory,
  pairdrop: compareWithPairDrop,
  'pairdrop-far': compareWithPairDropDelayed,
  vitals: measureWebVitals,
  profile: profileTransfers,
}

// npm run bench -- --only upload,download --mb 512 --rounds 5
const options = parseBenchOptions()
const unknown = options.only.filter((name) => !(name in benchmarks))
if (unknown.length > 0)
  throw new Error(`Unknown benchmark: ${unknown.join(', ')}; available: ${Object.keys(benchmarks).join(', ')}`)

const findings: Finding[] = []
for (const [name, measure] of Object.entries(benchmarks)) {
  if (options.only.length > 0 && !options.only.includes(name)) continue
  process.stderr.write(`${name}\n`)
  findings.push(...(await measure(options)))
}
saveResults('findings', { findings })
if (findings.length > 0) printFindings(findings)

import '../tools/require-own-node.ts'
import { timeAnswers } from './answers.ts'
import { compareWithNginx } from './beside-nginx.ts'
import { compareWithPairDrop, compareWithPairDropFar } from './beside-pairdrop.ts'
import { compareWithSend } from './beside-send.ts'
import { crowdServer } from './crowd.ts'
import { compareDownloads } from './download.ts'
import { type Finding, keep, printFindings } from './findings.ts'
import { sendFiveGigabytes } from './five-gigabytes.ts'
import { measureFloods } from './floods/floods.ts'
import { timeLiveEvents } from './live-events.ts'
import { countSockets } from './live-sockets.ts'
import { holdManyFiles } from './many-files.ts'
import { comparePortal } from './portal.ts'
import { watchPortalMemory } from './portal-memory.ts'
import { profileTransfers } from './profile.ts'
import { compareRelays } from './relay.ts'
import { fillRooms } from './rooms.ts'
import { compareUploads } from './upload.ts'
import { watchVitals } from './vitals.ts'
import { readWishes, type Wishes } from './wishes.ts'

const parts: Readonly<Record<string, (wishes: Wishes) => Promise<readonly Finding[]>>> = {
  // Starts many processes, which takes the longer the larger this one has become.
  answers: timeAnswers,
  upload: compareUploads,
  download: compareDownloads,
  crowd: crowdServer,
  'five-gigabytes': sendFiveGigabytes,
  nginx: compareWithNginx,
  send: compareWithSend,
  'live-events': timeLiveEvents,
  'live-sockets': countSockets,
  rooms: fillRooms,
  floods: measureFloods,
  'many-files': holdManyFiles,
  portal: comparePortal,
  relay: compareRelays,
  'portal-memory': watchPortalMemory,
  pairdrop: compareWithPairDrop,
  'pairdrop-far': compareWithPairDropFar,
  vitals: watchVitals,
  profile: profileTransfers,
}

// npm run bench -- --only upload,download --mb 512 --rounds 5
const wishes = readWishes()
const unknown = wishes.only.filter((name) => !(name in parts))
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`)

const findings: Finding[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (wishes.only.length > 0 && !wishes.only.includes(name)) continue
  process.stderr.write(`${name}\n`)
  findings.push(...(await measure(wishes)))
}
keep('findings', { findings })
if (findings.length > 0) printFindings(findings)

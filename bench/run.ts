import '../tools/require-own-node.ts'
import { crowdServer } from './crowd.ts'
import { compareDownloads } from './download.ts'
import { compareUploads } from './upload.ts'
import { readWishes } from './workbench.ts'

// npm run bench -- --mb 512 --rounds 5
const wishes = readWishes()
await compareUploads(wishes)
await compareDownloads(wishes)
await crowdServer()

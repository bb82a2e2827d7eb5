import '../tools/require-own-node.ts'
import { parseArgs } from 'node:util'
import { buildPageOnce } from '../tools/build-page.ts'
import { benchDownload } from './download.ts'
import { benchUpload } from './upload.ts'

// npm run bench -- [upload|download] [--mb 512] [--rounds 5]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mb: { type: 'string', default: '384' }, rounds: { type: 'string', default: '5' } },
})
const byteCount = Number(values.mb) * 1024 * 1024
const rounds = Number(values.rounds)
const wanted = positionals.length > 0 ? positionals : ['upload', 'download']

await buildPageOnce()
if (wanted.includes('upload')) await benchUpload(byteCount, rounds)
if (wanted.includes('download')) await benchDownload(byteCount, rounds)

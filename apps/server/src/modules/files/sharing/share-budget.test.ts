import { randomBytes } from 'node:crypto'
import { shareLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { type FileServer, onFileServerWithBothDatabases, waitUntil } from '../../../testing/servers/file-server.ts'
import { downloadThreshold, maxBytesPerDownload } from './share-budget.rules.ts'

const recordBytes = 64 * 1024
const createClaim = (): string => randomBytes(16).toString('base64url')

/** A file of 12 records with a link that allows `maxDownloads` downloads. */
async function createLimitedShare(server: FileServer, maxDownloads: number | null) {
  const owner = await server.createUser()
  const file = await sealFile({ plainBytes: 12 * recordBytes })
  const fileId = await server.store(owner, file)
  const url = `/api/file/${fileId}/share-zk`
  const shareEncryptedFileKey = await file.wrap('share', new Uint8Array(randomBytes(32)))
  const share = async () =>
    (await server.call(owner, 'POST', url, { payload: { shareEncryptedFileKey, maxDownloads } })).json()
  const path = (await share()).shareUrl.replace('/s/', '/api/share/')
  const served = { bytes: 0 }
  async function visit(claim: string | null, range?: string) {
    const headers = { ...(claim && { 'x-share-claim': claim }), ...(range && { range }) }
    const answer = await server.app.inject({ method: 'GET', url: path, headers }).catch(() => null)
    if (answer && answer.statusCode < 300) served.bytes += answer.rawPayload.length
    return answer
  }
  return { owner, file, fileId, url, visit, served, size: file.sealed.length, share }
}

onFileServerWithBothDatabases(
  'SHR-04 a suffix range of the whole length counts as a download, and so does one of 2 records',
  async (server) => {
    for (const tail of ['whole', 2 * recordBytes + 100]) {
      const { visit, size, share } = await createLimitedShare(server, 1)
      const first = await visit(createClaim(), `bytes=-${tail === 'whole' ? size : tail}`)
      await waitUntil(async () => (await share()).downloads === 1)
      const others = [await visit(createClaim(), `bytes=-${size}`), await visit(createClaim()), await visit(null)]

      expect(first?.statusCode).toBe(206)
      expect(others.map((answer) => answer?.statusCode)).toEqual([404, 404, 404])
    }
  },
)

onFileServerWithBothDatabases(
  'a suffix range of one record, as media players request it, is no download',
  async (server) => {
    const { visit, share } = await createLimitedShare(server, null)
    await visit(createClaim(), `bytes=-${recordBytes}`)
    await visit(createClaim(), `bytes=-${recordBytes + 29}`)
    await waitUntil(async () => (await share()).downloads === 1)
  },
)

onFileServerWithBothDatabases(
  'SHR-04 all but the last byte is a download: others get 404, and the owner sees the count',
  async (server) => {
    const { visit, size, share } = await createLimitedShare(server, 1)

    const almost = await visit(createClaim(), `bytes=0-${size - 2}`)
    const other = await visit(createClaim())

    expect(almost?.statusCode).toBe(206)
    expect([other?.statusCode, (await share()).downloads]).toEqual([404, 1])
  },
)

onFileServerWithBothDatabases(
  'a limited share serves hardly more than its limit, whatever the claims and ranges',
  async (server) => {
    for (const maxDownloads of [1, 3]) {
      const { visit, size, served, share } = await createLimitedShare(server, maxDownloads)
      const ownClaim = createClaim()
      for (let round = 0; round < 40; round += 1) {
        const start = (round * recordBytes) % size
        await visit(createClaim(), `bytes=${start}-${start + recordBytes}`)
        await visit(ownClaim, `bytes=0-${size - 2}`)
        await visit(createClaim(), `bytes=-${size - 1}`)
        server.advance(shareLimits.leaseAfterDisconnectMs)
      }

      expect(served.bytes).toBeLessThanOrEqual(maxDownloads * maxBytesPerDownload(size) + downloadThreshold(size))
      expect((await share()).downloads).toBe(maxDownloads)
    }
  },
)

onFileServerWithBothDatabases('concurrent requests of one claim share its bytes', async (server) => {
  const { visit, size, served } = await createLimitedShare(server, 1)
  const claim = createClaim()

  await Promise.all(Array.from({ length: 12 }, () => visit(claim, `bytes=0-${size - 2}`)))

  expect(served.bytes).toBeLessThanOrEqual(maxBytesPerDownload(size))
})

onFileServerWithBothDatabases(
  'a claim interrupted early is no download, and another claim gets its slot a minute later',
  async (server) => {
    const { visit, size, share } = await createLimitedShare(server, 1)
    const interrupted = createClaim()
    await visit(interrupted, `bytes=0-${Math.floor(size / 4)}`)
    const claims = () => server.db.selectFrom('share_claims').select('held_until').execute()
    await waitUntil(async () => (await claims())[0]?.held_until === server.now() + shareLimits.leaseAfterDisconnectMs)

    const busy = await visit(createClaim())
    server.advance(shareLimits.leaseAfterDisconnectMs)
    const other = await visit(createClaim())

    expect([busy?.statusCode, other?.statusCode, other?.rawPayload.length]).toEqual([409, 200, size])
    expect((await share()).downloads).toBe(1)
  },
)

onFileServerWithBothDatabases('SHR-04 a download in resumed ranges is one download', async (server) => {
  const { visit, size, file, share } = await createLimitedShare(server, 1)
  const claim = createClaim()
  const step = Math.ceil(size / 5)
  const parts: Buffer[] = []
  for (let start = 0; start < size; start += step) {
    const answer = await visit(claim, `bytes=${start}-${Math.min(start + step, size) - 1}`)
    parts.push(answer?.rawPayload ?? Buffer.alloc(0))
  }

  expect(Buffer.concat(parts).equals(file.sealed)).toBe(true)
  await waitUntil(async () => (await share()).downloads === 1)
})

onFileServerWithBothDatabases(
  'SHR-01 a file has at most 20 shares; the 21st gets 409, and an existing one is found again',
  async (server) => {
    const { owner, file, fileId, url } = await createLimitedShare(server, null)
    const createShare = async () => {
      const shareEncryptedFileKey = await file.wrap('share', new Uint8Array(randomBytes(32)))
      return server.call(owner, 'POST', url, { payload: { shareEncryptedFileKey } })
    }
    const answers = await Promise.all(Array.from({ length: 24 }, createShare))
    const refused = answers.filter(({ statusCode }) => statusCode === 409)

    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(shareLimits.perFile - 1)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.json()).toMatchObject({
      code: 'TOO_MANY_SHARES',
      error: 'This file has too many links. Stop sharing it, then create a new link.',
    })
    await server.call(owner, 'DELETE', `/api/file/${fileId}/share`)
    expect((await createShare()).statusCode).toBe(200)
  },
)

import { randomBytes } from 'node:crypto'
import { shareLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { sealFile } from '../testing/sealed-file.ts'
import { onStoringServer, type StoringServer, until } from '../testing/storing-server.ts'
import { bytesPerDownload, partOfDownload } from './share-budget.rules.ts'

const recordBytes = 64 * 1024
const aClaim = (): string => randomBytes(16).toString('base64url')

/** A file of twelve records behind a link that allows so many downloads. */
async function aLimitedShare(server: StoringServer, maxDownloads: number | null) {
  const owner = await server.aUser()
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

onStoringServer(
  'SHR-04 a tail of the whole length counts as a download, and so does one of two records',
  async (server) => {
    for (const tail of ['whole', 2 * recordBytes + 100]) {
      const { visit, size, share } = await aLimitedShare(server, 1)
      const first = await visit(aClaim(), `bytes=-${tail === 'whole' ? size : tail}`)
      await until(async () => (await share()).downloads === 1)
      const others = [await visit(aClaim(), `bytes=-${size}`), await visit(aClaim()), await visit(null)]

      expect(first?.statusCode).toBe(206)
      expect(others.map((answer) => answer?.statusCode)).toEqual([404, 404, 404])
    }
  },
)

onStoringServer('a tail of one record, as players ask for, is no download', async (server) => {
  const { visit, share } = await aLimitedShare(server, null)
  await visit(aClaim(), `bytes=-${recordBytes}`)
  await visit(aClaim(), `bytes=-${recordBytes + 29}`)
  await until(async () => (await share()).downloads === 1)
})

onStoringServer(
  'SHR-04 all but the last byte is a download: others find the link used up, and its owner sees it',
  async (server) => {
    const { visit, size, share } = await aLimitedShare(server, 1)

    const almost = await visit(aClaim(), `bytes=0-${size - 2}`)
    const other = await visit(aClaim())

    expect(almost?.statusCode).toBe(206)
    expect([other?.statusCode, (await share()).downloads]).toEqual([404, 1])
  },
)

onStoringServer(
  'however it is cut into claims and ranges, a limited share serves hardly more than its limit',
  async (server) => {
    for (const maxDownloads of [1, 3]) {
      const { visit, size, served, share } = await aLimitedShare(server, maxDownloads)
      const mine = aClaim()
      for (let round = 0; round < 40; round += 1) {
        const start = (round * recordBytes) % size
        await visit(aClaim(), `bytes=${start}-${start + recordBytes}`)
        await visit(mine, `bytes=0-${size - 2}`)
        await visit(aClaim(), `bytes=-${size - 1}`)
        server.advance(shareLimits.placeAfterCutMs)
      }

      expect(served.bytes).toBeLessThanOrEqual(maxDownloads * bytesPerDownload(size) + partOfDownload(size))
      expect((await share()).downloads).toBe(maxDownloads)
    }
  },
)

onStoringServer('concurrent requests of one claim share its bytes', async (server) => {
  const { visit, size, served } = await aLimitedShare(server, 1)
  const claim = aClaim()

  await Promise.all(Array.from({ length: 12 }, () => visit(claim, `bytes=0-${size - 2}`)))

  expect(served.bytes).toBeLessThanOrEqual(bytesPerDownload(size))
})

onStoringServer(
  'a claim that goes silent early is no download, and another takes its place a minute later',
  async (server) => {
    const { visit, size, share } = await aLimitedShare(server, 1)
    const cut = aClaim()
    await visit(cut, `bytes=0-${Math.floor(size / 4)}`)
    const claims = () => server.db.selectFrom('share_claims').select('held_until').execute()
    await until(async () => (await claims())[0]?.held_until === server.now() + shareLimits.placeAfterCutMs)

    const busy = await visit(aClaim())
    server.advance(shareLimits.placeAfterCutMs)
    const other = await visit(aClaim())

    expect([busy?.statusCode, other?.statusCode, other?.rawPayload.length]).toEqual([409, 200, size])
    expect((await share()).downloads).toBe(1)
  },
)

onStoringServer('SHR-04 a download in ranges that break and go on is one download', async (server) => {
  const { visit, size, file, share } = await aLimitedShare(server, 1)
  const claim = aClaim()
  const step = Math.ceil(size / 5)
  const parts: Buffer[] = []
  for (let start = 0; start < size; start += step) {
    const answer = await visit(claim, `bytes=${start}-${Math.min(start + step, size) - 1}`)
    parts.push(answer?.rawPayload ?? Buffer.alloc(0))
  }

  expect(Buffer.concat(parts).equals(file.sealed)).toBe(true)
  await until(async () => (await share()).downloads === 1)
})

onStoringServer(
  'SHR-01 a file has at most 20 shares; the 21st is refused with a code, and an old one is found again',
  async (server) => {
    const { owner, file, fileId, url } = await aLimitedShare(server, null)
    const shareAnew = async () => {
      const shareEncryptedFileKey = await file.wrap('share', new Uint8Array(randomBytes(32)))
      return server.call(owner, 'POST', url, { payload: { shareEncryptedFileKey } })
    }
    const answers = await Promise.all(Array.from({ length: 24 }, shareAnew))
    const refused = answers.filter(({ statusCode }) => statusCode === 409)

    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(shareLimits.perFile - 1)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.json()).toMatchObject({
      code: 'TOO_MANY_SHARES',
      error: 'This file has too many links. Stop sharing it, then create a new link.',
    })
    await server.call(owner, 'DELETE', `/api/file/${fileId}/share`)
    expect((await shareAnew()).statusCode).toBe(200)
  },
)

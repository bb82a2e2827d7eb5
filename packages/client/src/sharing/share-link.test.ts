import { expect, test } from 'vitest'
import { createCaller } from '../call.ts'
import { ApiError } from '../errors.ts'
import { createFileServer, type Fault, shareTokenFor } from '../testing/file-server.ts'
import { accountKey, patternBytes, sealedFile } from '../testing/files.ts'
import { findShareLink, shareFile } from './share-link.ts'
import { getSharedFile, parseShareLink } from './shared-file.ts'

const origin = 'https://files.example.org'

async function startHarness(fault?: Fault) {
  const server = createFileServer(fault)
  const file = await sealedFile(patternBytes(200_000))
  const id = server.store(file.name, file.envelope, file.bytes)
  const fetch = server.fetch as typeof globalThis.fetch
  const call = createCaller({ baseUrl: origin, getAccessToken: async () => 'token', fetch })
  const anonymousCall = createCaller({ baseUrl: origin, getAccessToken: async () => null, fetch })
  const share = () => shareFile(call, { id, originalName: file.name, accountKey, origin })
  return { server, file, id, call, anonymousCall, share }
}

const respondTo =
  (path: RegExp, response: () => Response): Fault =>
  (seen) =>
    path.test(seen.path) ? response() : undefined

test('SHR-01 a link has its key after the # and sends none of it to the server', async () => {
  const { share, server, id } = await startHarness()

  const link = await share()

  const { pathname, hash } = new URL(link)
  expect(pathname).toBe(`/s/${shareTokenFor(id)}`)
  expect(hash).toMatch(/^#[A-Za-z0-9_-]{48}$/)
  const key = hash.slice(2, 40)
  for (const { path, headers, body } of server.requests) {
    expect(path).not.toContain(key)
    expect(JSON.stringify([...headers])).not.toContain(key)
    expect(new TextDecoder().decode(body)).not.toContain(key)
  }
})

test('SHR-01 sharing a file again returns the same link', async () => {
  const { share } = await startHarness()

  expect(await share()).toBe(await share())
})

test('SHR-01 the link of an existing share is found; an unshared file has none', async () => {
  const { share, call, id, file } = await startHarness()
  const input = { id, accountKey, origin }

  const before = await findShareLink(call, input, file.keys)
  const link = await share()

  expect(before).toBeNull()
  expect(await findShareLink(call, input, file.keys)).toBe(link)
})

test('SHR-03 a link shows an anonymous visitor the name, type, size and expiry of the file', async () => {
  const { share, anonymousCall } = await startHarness()
  const opened = await parseShareLink(await share())

  const shared = await getSharedFile(anonymousCall, opened)

  expect(opened.origin).toBe(origin)
  expect(shared).toMatchObject({
    name: 'holiday.txt',
    mimeType: 'text/plain',
    plainBytes: 200_000,
    expiresAt: 1_800_000_000_000,
  })
})

test('SHR-03 a link whose # was encoded as %23 is repaired', async () => {
  const { share, anonymousCall } = await startHarness()
  const link = await share()

  for (const mangled of [link.replace('#', '%23'), link.replace('#', '%2523'), ` ${link}\n`]) {
    const shared = await getSharedFile(anonymousCall, await parseShareLink(mangled))
    expect(shared.name).toBe('holiday.txt')
  }
})

test('T038 SHR-03 a link with a missing or truncated key is reported as incomplete', async () => {
  const { share } = await startHarness()
  const link = await share()
  const bare = link.slice(0, link.indexOf('#'))

  for (const broken of [bare, `${bare}#`, link.slice(0, -1), link.slice(0, -20)]) {
    await expect(parseShareLink(broken)).rejects.toThrow('SHARE_LINK_INCOMPLETE')
  }
})

test('T038 SHR-04 a mistyped link is invalid before any request', async () => {
  const { share, server } = await startHarness()
  const link = await share()
  const requestsBefore = server.requests.length
  const other = link.endsWith('A') ? 'B' : 'A'
  const middle = link.indexOf('#') + 10
  const swapped = link[middle] === 'x' ? 'y' : 'x'

  for (const broken of [
    link.slice(0, -1) + other,
    link.slice(0, middle) + swapped + link.slice(middle + 1),
    `${link}A`,
    link.replace('/s/', '/t/'),
    `${origin}/s/#${new URL(link).hash}`,
    'no link',
    '',
  ]) {
    await expect(parseShareLink(broken)).rejects.toThrow('SHARE_LINK_INVALID')
  }
  expect(server.requests.length).toBe(requestsBefore)
})

test('SHR-04 a link to a deleted file is not found', async () => {
  const { share, anonymousCall, server } = await startHarness()
  const opened = await parseShareLink(await share())
  server.stored.clear()

  await expect(getSharedFile(anonymousCall, opened)).rejects.toMatchObject({ status: 404 })
})

test('SHR-04 any other error response is reported by its status', async () => {
  const { share, anonymousCall } = await startHarness(respondTo(/api.share/, () => new Response(null, { status: 500 })))
  const opened = await parseShareLink(await share())

  await expect(getSharedFile(anonymousCall, opened)).rejects.toMatchObject({ status: 500 })
})

test('SHR-04 a response with a missing or broken wrapped key is reported', async () => {
  for (const headers of [{}, { 'X-Share-Encrypted-File-Key': 'AAAA' }]) {
    const { share, anonymousCall } = await startHarness(respondTo(/api.share/, () => new Response(null, { headers })))
    const opened = await parseShareLink(await share())

    await expect(getSharedFile(anonymousCall, opened)).rejects.toThrow('SHARE_KEY_MISSING')
  }
})

test('SHR-04 the key of another file’s link does not open this one', async () => {
  const first = await startHarness()
  const second = await startHarness()
  const [mine, other] = [await parseShareLink(await first.share()), await parseShareLink(await second.share())]

  const pending = getSharedFile(first.anonymousCall, { token: mine.token, shareKey: other.shareKey })

  await expect(pending).rejects.toThrow('SHARE_LINK_INVALID')
})

test('T017 the name of another file is not shown', async () => {
  const { share, anonymousCall, server, id } = await startHarness()
  const other = await sealedFile(patternBytes(200_000))
  const opened = await parseShareLink(await share())
  const stored = server.stored.get(id)
  if (stored) server.stored.set(id, { ...stored, name: other.name })

  const shared = await getSharedFile(anonymousCall, opened)

  expect(shared.name).toBe('Unreadable name')
})

test('SHR-05 each step of sharing that fails is named with its status and stays an ApiError', async () => {
  const startFailing = (path: RegExp) => startHarness(respondTo(path, () => new Response('', { status: 500 })))
  const keyFails = await startFailing(/\/key$/)
  const shareFails = await startFailing(/share-zk$/)
  const addressFails = await startFailing(/share$/)
  const input = { id: addressFails.id, accountKey, origin }

  await expect(keyFails.share()).rejects.toMatchObject({ shareStep: 'get-key', status: 500 })
  await expect(shareFails.share()).rejects.toMatchObject({ shareStep: 'create', status: 500 })
  await expect(shareFails.share()).rejects.toBeInstanceOf(ApiError)
  await expect(findShareLink(addressFails.call, input, addressFails.file.keys)).rejects.toMatchObject({
    shareStep: 'get-address',
    status: 500,
  })
})

test('SHR-05 a key from the server shares only the file that was chosen', async () => {
  const { server, file, id, call } = await startHarness((seen) =>
    seen.path === `/api/file/${chosen.id}/key`
      ? Response.json({ success: true, encryptedFileKey: chosen.other.envelope })
      : undefined,
  )
  const chosen = { id, other: await sealedFile(patternBytes(100), { name: 'taxes.txt' }) }

  await expect(shareFile(call, { id, originalName: file.name, accountKey, origin })).rejects.toThrow('NO_KEY_TO_SHARE')
  await expect(shareFile(call, { id, accountKey, origin })).rejects.toThrow('NO_KEY_TO_SHARE')

  expect(server.requests.map(({ path }) => path).filter((path) => path.includes('share'))).toEqual([])
})

test('SHR-05 a file without a key cannot be shared', async () => {
  const { call, id, server } = await startHarness()

  const pending = shareFile(call, { id, accountKey, origin, encryptedFileKey: '' })

  await expect(pending).rejects.toThrow('NO_KEY_TO_SHARE')
  expect(server.requests).toEqual([])
})

const token = 'AbCdEfGhIjKlMnOpQrSt_-'
const foreignUrls = [
  `https://collector.example/s/${token}`,
  `//collector.example/s/${token}`,
  `/\\collector.example/s/${token}`,
  `https:collector.example/s/${token}`,
  `javascript:alert(1)`,
  `data:text/html,/s/${token}`,
  `${origin}/s/${token}`,
  `/s/../collect/${token}`,
  `/s/${token}?to=collector.example`,
  `/s/${token}#collector`,
  `/s/${token}/`,
  `/s/${token}\n`,
  `/collect/${token}`,
  `s/${token}`,
  `/s/${token.slice(1)}`,
  `/s/${token}A`,
  `/s/${token.slice(1)}%2F`,
  `/s/${token.slice(1)}é`,
  '',
]

test.each(foreignUrls)('SHR-01 a share key is never put into a URL that the server chooses: %j', async (shareUrl) => {
  const reply = { success: true, shareUrl, downloads: 0, lastDownloadAt: null, maxDownloads: null, label: null }
  const { share, call, id, file } = await startHarness(respondTo(/share(-zk)?$/, () => Response.json(reply)))

  await expect(share()).rejects.toMatchObject({ code: 'SHARE_ADDRESS_INVALID' })
  await expect(findShareLink(call, { id, accountKey, origin }, file.keys)).rejects.toMatchObject({
    code: 'SHARE_ADDRESS_INVALID',
  })
})

import { parseCopiedUrl } from '@sallyport/client/copied-url'
import { linkChanges, textChanges } from '@sallyport/contract/testing/copied-texts'
import { toBase64url } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { readPortalLink, readScannedLink, toJoinInput } from './portal-link.ts'

const origin = 'https://files.example.org'

test('POR-02 readScannedLink: reads a portal link of this server with and without a secret', () => {
  expect(readScannedLink(`${origin}/?join=482913#k=c2VjcmV0`, origin)).toEqual({
    digits: '482913',
    secret: 'c2VjcmV0',
    prefixDigits: 2,
  })
  expect(readScannedLink(`${origin}/?join=482913#k=c2VjcmV0&p=4`, origin)?.prefixDigits).toBe(4)
  expect(readScannedLink(`${origin}/?join=482913`, origin)).toEqual({ digits: '482913', secret: null, prefixDigits: 2 })
})

test.each([
  'https://elsewhere.example/?join=482913#k=c2VjcmV0',
  'http://files.example.org/?join=482913',
  'https://files.example.org.elsewhere.example/?join=482913',
  `${origin}:8443/?join=482913`,
  `${origin}/s/abc?join=482913`,
  `${origin}/?join=48291`,
  `${origin}/?join=4829134`,
  `${origin}/?join=48291x`,
  `${origin}/`,
  'javascript:alert(1)',
  'WIFI:T:WPA;S:home;P:secret;;',
  '482913',
  '',
])('readScannedLink: returns null for %s', (text) => {
  expect(readScannedLink(text, origin)).toBe(null)
})

test.each([...textChanges, ...linkChanges])(
  'POR-02 a portal link opens after a change on its way: $name',
  ({ change }) => {
    for (let round = 0; round < 20; round += 1) {
      const secret = crypto.getRandomValues(new Uint8Array(16))
      const url = parseCopiedUrl(change(`${origin}/?join=482913#k=${toBase64url(secret)}&p=4`))

      const link = url && readPortalLink(url)

      expect(link && toJoinInput(link)).toEqual({ prefix: '4829', secret })
    }
  },
)

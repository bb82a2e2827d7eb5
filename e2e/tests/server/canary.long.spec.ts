import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test as journey } from '../../support/journey.ts'
import { needlesOf, type Secret } from '../../support/needles.ts'
import { searchSecrets } from '../../support/search-secrets.ts'

const megabyte = 1024 * 1024

journey(
  'T162 the search finds a planted secret in each encoding, at any offset, across read boundaries',
  ({ folder }) => {
    const secrets: Secret[] = [
      { name: 'key', bytes: randomBytes(32) },
      { name: 'text', bytes: Buffer.from('ﬁne gate & key/+?') },
    ]
    for (const needle of secrets.flatMap(needlesOf)) {
      const path = join(folder, 'haystack')
      writeFileSync(path, Buffer.concat([Buffer.alloc(8 * megabyte - 5, 'x'), needle.bytes, randomBytes(100)]))

      const found = searchSecrets([path], secrets.flatMap(needlesOf))

      expect(found).toContainEqual({ file: path, secret: needle.secret, form: needle.form })
    }
    writeFileSync(join(folder, 'haystack'), randomBytes(9 * megabyte))
    expect(searchSecrets([join(folder, 'haystack')], secrets.flatMap(needlesOf))).toEqual([])
  },
)

journey('T162 the search finds a base64 secret at any offset in a longer text', () => {
  const secret = { name: 'key', bytes: randomBytes(33) }

  for (const prefixBytes of [0, 1, 2, 3, 4, 5]) {
    const text = Buffer.concat([randomBytes(prefixBytes), secret.bytes, randomBytes(7)])
    const matches = (encoding: 'base64' | 'base64url') =>
      needlesOf(secret).filter(({ bytes }) => Buffer.from(text.toString(encoding)).includes(bytes))

    expect(matches('base64').length, `base64 after ${prefixBytes}`).toBeGreaterThan(0)
    expect(matches('base64url').length, `base64url after ${prefixBytes}`).toBeGreaterThan(0)
  }
})

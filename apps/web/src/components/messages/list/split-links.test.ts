import { expect, test } from 'vitest'
import { splitLinks } from './split-links.ts'

const linksIn = (text: string) => splitLinks(text).flatMap(({ text: shown, link }) => (link ? [shown] : []))

test.each([
  ['see https://example.org/a?b=1#c.', ['https://example.org/a?b=1#c']],
  ['(http://example.org)', ['http://example.org']],
  ['https://example.org/wiki/Gate_(door) and more', ['https://example.org/wiki/Gate_(door)']],
  ['“https://example.org/”, then HTTPS://EXAMPLE.ORG/b!', ['https://example.org/', 'HTTPS://EXAMPLE.ORG/b']],
  ['javascript:alert(1) data:text/html,x ftp://example.org https:// https://', []],
  ['<https://example.org/>', ['https://example.org/']],
])('CHT-02 the links of %j are %j, and no character is lost', (text, links) => {
  expect(linksIn(text)).toEqual(links)
  expect(
    splitLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})

test('CHT-02 a link with a user name or with foreign letters in its host counts as deceptive', () => {
  const linkOf = (text: string) => splitLinks(text)[0]?.link

  expect(linkOf('https://bank.example@evil.example/')).toMatchObject({ host: 'evil.example', isDeceptive: true })
  expect(linkOf('https://аpple.example/')).toMatchObject({ host: 'xn--pple-43d.example', isDeceptive: true })
  expect(linkOf('https://bank.example/@evil.example')).toMatchObject({ host: 'bank.example', isDeceptive: false })
})

import { createLinkSecret } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { readInviteLink, writeInviteLink } from './invite-link.ts'

const read = (link: string) => readInviteLink(new URL(link))

test('SES-02 an invite link is read as it was written, with its secret after # only', () => {
  const linkSecret = createLinkSecret()
  const link = writeInviteLink('https://files.example.org', { pin: '482913', linkSecret })

  expect(read(link)).toEqual({ pin: '482913', linkSecret })
  expect(new URL(link).search).toBe('?session=482913')
  expect(read(writeInviteLink('https://files.example.org', { pin: '482913', linkSecret: null }))).toEqual({
    pin: '482913',
    linkSecret: null,
  })
})

test('SES-02 a link that was cut is told from a whole one, and other addresses lead nowhere', () => {
  const link = writeInviteLink('https://files.example.org', { pin: '482913', linkSecret: createLinkSecret() })

  expect(read(link.slice(0, -3))).toEqual({ pin: '482913', isIncomplete: true })
  expect(read('https://files.example.org/?session=48291#s=abc')).toBeNull()
  expect(read('https://files.example.org/?join=482913')).toBeNull()
})

import { createLinkSecret } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { buildInviteLink, parseInviteLink } from './invite-link.ts'

const parse = (link: string) => parseInviteLink(new URL(link))

test('SES-02 an invite link is parsed as it was built, with its secret only after #', () => {
  const linkSecret = createLinkSecret()
  const link = buildInviteLink('https://files.example.org', { pin: '482913', linkSecret })

  expect(parse(link)).toEqual({ pin: '482913', linkSecret })
  expect(new URL(link).search).toBe('?session=482913')
  expect(parse(buildInviteLink('https://files.example.org', { pin: '482913', linkSecret: null }))).toEqual({
    pin: '482913',
    linkSecret: null,
  })
})

test('SES-02 a truncated link is reported as incomplete, and other URLs contain no session', () => {
  const link = buildInviteLink('https://files.example.org', { pin: '482913', linkSecret: createLinkSecret() })

  expect(parse(link.slice(0, -3))).toEqual({ pin: '482913', isIncomplete: true })
  expect(parse('https://files.example.org/?session=48291#s=abc')).toBeNull()
  expect(parse('https://files.example.org/?join=482913')).toBeNull()
})

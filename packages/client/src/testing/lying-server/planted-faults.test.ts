import { expect, test } from 'vitest'
import { carelessPortal } from './careless-portal.ts'
import { filesFlow } from './files.flow.ts'
import { believesAddress } from './planted-faults.ts'
import { portalCreatorFlow } from './portal-creator.flow.ts'
import { origin } from './server.ts'
import { findViolations } from './test-flow.ts'

const cases = 20

test('the suite notices a client that puts the key of a share behind the address that a server answers', async () => {
  const found = await findViolations(filesFlow(believesAddress), cases)
  expect(Object.keys(found)).toContain('a share link, key and all, leads to another server')
})

test.each([
  ['takes any prefix', 'the server holds the keys of a portal that was opened'],
  ['guessed at without end', 'the server had more than 2 guesses at the code of one portal'],
  ['lets in without proof', 'a device that proved nothing was let in unasked'],
] as const)('the suite notices a portal that is careless in one thing: %s', async (fault, violation) => {
  const found = await findViolations(portalCreatorFlow({ open: carelessPortal(fault) }), cases)
  expect(Object.keys(found)).toContain(violation)
})

test('the suite notices a portal whose link tells the server the code', async () => {
  const linkTo = ({ linkDigits }: { readonly linkDigits: string }) => `${origin}/?join=${linkDigits}#k=secret`
  const found = await findViolations(portalCreatorFlow({ open: carelessPortal('code in its link'), linkTo }), cases)
  expect(Object.keys(found)).toContain('the server holds the keys of a portal that was opened')
})

import { expect, test } from 'vitest'
import { archiveFlow } from './archive.flow.ts'
import { carelessPortal } from './careless-portal.ts'
import { filesFlow } from './files.flow.ts'
import { believesAddress, believesKey, followsTicket, namesByPosition, repeatsNonces } from './planted-faults.ts'
import { portalCreatorFlow } from './portal-creator.flow.ts'
import { resumedUploadFlow } from './resumed-upload.flow.ts'
import { origin } from './server.ts'
import { findViolations } from './test-flow.ts'
import { uploadSocketFlow } from './upload-socket.flow.ts'

const cases = 20

test('the suite notices a client that puts the key of a share behind the address that a server answers', async () => {
  const found = await findViolations(filesFlow(believesAddress), cases)
  expect(Object.keys(found)).toContain('a share link, key and all, leads to another server')
})

test('the suite notices a client that shares the file whose key a server answers', async () => {
  const found = await findViolations(filesFlow(believesKey), 0)
  expect(Object.keys(found)).toContain('the link to holiday.txt has the key of another file')
})

test('the suite notices an archive whose entries are named by their position', async () => {
  const names = ['holiday.txt', 'taxes.txt', 'letter.txt']
  const found = await findViolations(archiveFlow(namesByPosition(names)), 0)
  expect(Object.keys(found)).toContain('the archive has other bytes under holiday.txt')
})

test('the suite notices an upload whose socket leads to another server', async () => {
  const found = await findViolations(uploadSocketFlow(followsTicket), 0)
  expect(Object.keys(found).join()).toContain('the client called wss://collector.example/api/ws-upload')
})

test('the suite notices an upload that is resumed with another file', async () => {
  const flow = resumedUploadFlow({ lane: (lane) => ({ ...lane, isUnchanged: async () => true }) })
  expect(Object.keys(await findViolations(flow, 0))).toContain('a download of film.bin opened as other bytes')
})

test('the suite notices records that are sealed with the same nonce', async () => {
  const found = await findViolations(resumedUploadFlow({ send: repeatsNonces }), 0)
  expect(Object.keys(found)).toContain('two records were sealed with the same nonce')
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

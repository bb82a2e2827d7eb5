import { expect, test } from 'vitest'
import { archiveFlow } from './archive.flow.ts'
import { faultyPortal } from './faulty-portal.ts'
import { filesFlow } from './files.flow.ts'
import { namesByPosition, reusesNonces, trustsFileKey, trustsShareUrl, trustsTicketUrl } from './planted-faults.ts'
import { portalCreatorFlow } from './portal-creator.flow.ts'
import { resumedUploadFlow } from './resumed-upload.flow.ts'
import { origin } from './server.ts'
import { findViolations } from './test-flow.ts'
import { uploadSocketFlow } from './upload-socket.flow.ts'

const cases = 20

test('the suite detects a client that appends the share key to a URL from the server', async () => {
  const found = await findViolations(filesFlow(trustsShareUrl), cases)
  expect(Object.keys(found)).toContain('a share link with its key points to another server')
})

test('the suite detects a client that shares the file whose key the server returns', async () => {
  const found = await findViolations(filesFlow(trustsFileKey), 0)
  expect(Object.keys(found)).toContain('the link to holiday.txt has the key of another file')
})

test('the suite detects an archive whose entries are named by position', async () => {
  const names = ['holiday.txt', 'taxes.txt', 'letter.txt']
  const found = await findViolations(archiveFlow(namesByPosition(names)), 0)
  expect(Object.keys(found)).toContain('the archive has wrong bytes under holiday.txt')
})

test('the suite detects an upload socket that connects to another server', async () => {
  const found = await findViolations(uploadSocketFlow(trustsTicketUrl), 0)
  expect(Object.keys(found).join()).toContain('the client called wss://collector.example/api/ws-upload')
})

test('the suite detects an upload that is resumed with another file', async () => {
  const flow = resumedUploadFlow({ worker: (worker) => ({ ...worker, isUnchanged: async () => true }) })
  expect(Object.keys(await findViolations(flow, 0))).toContain('a download of film.bin decrypted to other bytes')
})

test('the suite detects records that are sealed with the same nonce', async () => {
  const found = await findViolations(resumedUploadFlow({ send: reusesNonces }), 0)
  expect(Object.keys(found)).toContain('two records were sealed with the same nonce')
})

test.each([
  ['takes any prefix', 'the server has the keys of an opened portal'],
  ['guessed at without end', 'the server had more than 2 guesses at the code of one portal'],
  ['lets in without proof', 'an unverified device was connected without confirmation'],
] as const)('the suite detects a portal with the fault: %s', async (fault, violation) => {
  const found = await findViolations(portalCreatorFlow({ open: faultyPortal(fault) }), cases)
  expect(Object.keys(found)).toContain(violation)
})

test('the suite detects a portal whose link reveals the code to the server', async () => {
  const linkTo = ({ linkDigits }: { readonly linkDigits: string }) => `${origin}/?join=${linkDigits}#k=secret`
  const found = await findViolations(portalCreatorFlow({ open: faultyPortal('code in its link'), linkTo }), cases)
  expect(Object.keys(found)).toContain('the server has the keys of an opened portal')
})

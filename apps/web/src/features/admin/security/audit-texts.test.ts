import type { AuditRow } from '@sallyport/contract/admin-security'
import { expect, test } from 'vitest'
import { actionText, detailTexts, subjectText } from './audit-texts.ts'

const rowWith = (details: AuditRow['details']): AuditRow => ({
  seq: 1,
  at: 0,
  actor: { kind: 'command-line', id: null, email: null },
  action: 'user.ban',
  subject: null,
  outcome: 'done',
  details,
})

test('actionText: known actions have a text, unknown ones are shown as recorded', () => {
  const actions = [
    'user.promote',
    'maintenance.clean-up',
    'user.dance',
    'x',
    'constructor.prototype',
    'user.constructor',
  ]
  expect(actions.map(actionText)).toEqual(['Make admin', 'Clean up', ...actions.slice(2)])
  expect([subjectText('constructor.name'), subjectText('offer.end')?.('3f2b8c')]).toEqual([
    undefined,
    'Invitation 3f2b8c',
  ])
})

test('detailTexts: details are in words, and the code of an error is left to the outcome', () => {
  const id = '01a1fd00-0000-7000-8000-0000003f2b8c'
  expect(detailTexts(rowWith({ type: 'vip', storageBytes: 1024 ** 3, uses: 3, emails: 1, days: 1 }))).toEqual([
    'VIP',
    '1.00 GB of storage',
    '3 uses',
    'Sent by email',
    '1 day',
  ])
  expect(detailTexts(rowWith({ type: 'orphaned', emails: 0, code: 'FORBIDDEN' }))).toEqual(['Orphaned'])
  expect(detailTexts(rowWith({ database: 'sealed', objects: 'listed', newOwnerId: id, tries: 2 }))).toEqual([
    'Encrypted',
    'Without the stored files',
    'Organization handed to account 3f2b8c',
    'tries: 2',
  ])
})

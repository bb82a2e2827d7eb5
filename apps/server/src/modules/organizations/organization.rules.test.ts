import { expect, test } from 'vitest'
import { authorize, type OrganizationAction } from './organization.rules.ts'

const actions: Readonly<Record<string, OrganizationAction>> = {
  read: { kind: 'read' },
  'add seats': { kind: 'add-seats' },
  cancel: { kind: 'cancel' },
  leave: { kind: 'leave' },
  'invite a member': { kind: 'invite', role: 'member' },
  'invite an admin': { kind: 'invite', role: 'admin' },
  'clear the invitation of a member': { kind: 'manage-invitation', role: 'member' },
  'clear the invitation of an admin': { kind: 'manage-invitation', role: 'admin' },
  'remove a member': { kind: 'remove', role: 'member' },
  'remove an admin': { kind: 'remove', role: 'admin' },
  'remove the owner': { kind: 'remove', role: 'owner' },
  'change the role of a member': { kind: 'set-role', role: 'member' },
  'change the role of an admin': { kind: 'set-role', role: 'admin' },
  'change the role of the owner': { kind: 'set-role', role: 'owner' },
}

test.for([
  ['read', null, null, 'FORBIDDEN'],
  ['add seats', null, 'FORBIDDEN', 'FORBIDDEN'],
  ['cancel', null, 'FORBIDDEN', 'FORBIDDEN'],
  ['leave', 'OWNER_CANNOT_LEAVE', null, null],
  ['invite a member', null, null, 'FORBIDDEN'],
  ['invite an admin', null, 'FORBIDDEN', 'FORBIDDEN'],
  ['clear the invitation of a member', null, null, 'FORBIDDEN'],
  ['clear the invitation of an admin', null, 'FORBIDDEN', 'FORBIDDEN'],
  ['remove a member', null, null, 'FORBIDDEN'],
  ['remove an admin', null, 'FORBIDDEN', 'FORBIDDEN'],
  ['remove the owner', 'MEMBER_IS_OWNER', 'MEMBER_IS_OWNER', 'FORBIDDEN'],
  ['change the role of a member', null, 'FORBIDDEN', 'FORBIDDEN'],
  ['change the role of an admin', null, 'FORBIDDEN', 'FORBIDDEN'],
  ['change the role of the owner', 'MEMBER_IS_OWNER', 'FORBIDDEN', 'FORBIDDEN'],
] as const)('ORG-03 ORG-04 T224 %s: owner %s, admin %s, member %s', ([name, owner, admin, member]) => {
  const action = actions[name] ?? expect.unreachable()

  expect([authorize(action, 'owner'), authorize(action, 'admin'), authorize(action, 'member')]).toEqual([
    owner,
    admin,
    member,
  ])
})

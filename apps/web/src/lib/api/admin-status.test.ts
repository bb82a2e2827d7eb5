import { admin } from '@sallyport/contract/admin'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { adminStatus } from './admin-status.ts'

test('adminStatus: is the call of the contract', () => {
  const { reply, ...spec } = adminStatus
  const { reply: contractReply, ...contractSpec } = admin.status

  expect(spec).toEqual(contractSpec)
  expect(z.toJSONSchema(reply)).toEqual(z.toJSONSchema(contractReply))
})

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Succeeded } from './fields.ts'

/** Every signed-in page makes this call; the other ones of the admin area are loaded for admins only. */
export const adminStatus = endpoint({
  method: 'GET',
  path: '/api/admin/status',
  summary: 'Get whether I am an admin of this server',
  access: 'account',
  reply: z.object({ success: Succeeded, is_admin: z.boolean() }),
})

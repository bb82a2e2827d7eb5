import * as z from 'zod/mini'
import { bytes, endpoint, nothing } from './endpoint.ts'
import { Succeeded } from './fields.ts'
import { LicenceType } from './licence-types.ts'

const Plan = z.object({
  type: LicenceType,
  name: z.string(),
  /** US cents a month, for each seat. */
  monthlyCents: z.int(),
  storageBytes: z.int(),
  trialDays: z.optional(z.int()),
  /** Where seats are sold. */
  fewestSeats: z.optional(z.int()),
})

const Health = z.object({ status: z.string() })

export const system = {
  config: endpoint({
    method: 'GET',
    path: '/api/config',
    summary: 'What a page needs to know before anybody signs in',
    access: 'anyone',
    reply: z.object({
      success: Succeeded,
      product: z.string(),
      version: z.string(),
      /** Where the authentication provider answers, and the public key it wants to see. */
      auth: z.object({ url: z.string(), publishableKey: z.string() }),
      plans: z.array(Plan),
      expirationMinutes: z.array(z.int()),
      /** How whoever runs the server is reached: an email address or a page. */
      operatorContact: z.optional(z.string()),
      features: z.object({
        payments: z.boolean(),
        sms: z.boolean(),
        verificationRequired: z.boolean(),
      }),
    }),
  }),
  checkConnection: endpoint({
    method: 'HEAD',
    path: '/api/status',
    summary: 'Check the connection',
    access: 'anyone',
    reply: nothing,
  }),
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This interface as an OpenAPI document',
    access: 'anyone',
    reply: z.object({
      openapi: z.string(),
      info: z.record(z.string(), z.unknown()),
      components: z.record(z.string(), z.unknown()),
      paths: z.record(z.string(), z.unknown()),
    }),
  }),
  health: endpoint({
    method: 'GET',
    path: '/healthz',
    summary: 'Answers as soon as the server serves',
    access: 'anyone',
    reply: Health,
  }),
  readiness: endpoint({
    method: 'GET',
    path: '/readyz',
    summary: 'Answers 200 while database and volumes take work',
    access: 'anyone',
    reply: Health,
    errors: ['UNAVAILABLE'],
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    summary: 'Counters for monitoring, to the machine itself or with the operator’s token',
    access: 'operator',
    reply: bytes,
  }),
}

import * as z from 'zod/mini'
import { checkConnection } from './check-connection.ts'
import { bytes, endpoint } from './endpoint.ts'
import { Succeeded } from './fields.ts'
import { LicenceType } from './licence-types.ts'

const Plan = z.object({
  type: LicenceType,
  name: z.string(),
  /** US cents per month and seat. */
  monthlyCents: z.int(),
  storageBytes: z.int(),
  trialDays: z.optional(z.int()),
  /** Set for plans with seats. */
  fewestSeats: z.optional(z.int()),
})

const Health = z.object({ status: z.string() })

export const system = {
  config: endpoint({
    method: 'GET',
    path: '/api/config',
    summary: 'Get the configuration that a page needs before sign-in',
    access: 'anyone',
    reply: z.object({
      success: Succeeded,
      product: z.string(),
      version: z.string(),
      /** The URL of the auth provider, and the public key that it expects. */
      auth: z.object({ url: z.string(), publishableKey: z.string() }),
      /** Empty where nobody needs to choose a plan. */
      plans: z.array(Plan),
      /** Who can create an account: everyone, people with an invitation or a licence key, or nobody. */
      registration: z.enum(['open', 'invite', 'closed']),
      expirationMinutes: z.array(z.int()),
      /** How to contact the operator: an email address or a page. */
      operatorContact: z.optional(z.string()),
      /** Where the source code of this server is. */
      sourceUrl: z.optional(z.string()),
      features: z.object({
        payments: z.boolean(),
        sms: z.boolean(),
        verificationRequired: z.boolean(),
      }),
    }),
  }),
  checkConnection,
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Get this interface as an OpenAPI document',
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
    summary: 'Liveness: 200 once the server accepts requests',
    access: 'anyone',
    reply: Health,
  }),
  readiness: endpoint({
    method: 'GET',
    path: '/readyz',
    summary: 'Readiness: 200 while the database and the volumes are available',
    access: 'anyone',
    reply: Health,
    errors: ['UNAVAILABLE'],
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    summary: 'Get Prometheus metrics, from the machine itself or with the operator’s token',
    access: 'operator',
    reply: bytes,
  }),
}

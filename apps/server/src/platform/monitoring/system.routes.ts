import { Readable } from 'node:stream'
import type { Reply } from '@sallyport/contract/endpoint'
import { endpoints } from '@sallyport/contract/interface'
import { expirationLimits } from '@sallyport/contract/limits'
import { describeInterface } from '@sallyport/contract/openapi'
import { system } from '@sallyport/contract/system'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { apiError } from '../../errors.ts'
import { createStateLog, reasonOf } from '../../state-log.ts'
import { mount } from '../http/mount.ts'
import type { Metrics } from './metrics.ts'
import { operatorPages } from './operator-pages.ts'

type Config = Reply<typeof system.config>

interface SystemRoutesDeps {
  readonly version: string
  readonly auth: { readonly url: string; readonly publishableKey: string }
  readonly metrics: Metrics
  /** Throws while the database or all volumes are unavailable. */
  readonly probe: () => Promise<void>
  readonly isStopping: () => boolean
  readonly features: Config['features']
  /** The plans on offer, with their prices. */
  readonly plans: Config['plans']
  readonly operatorContact: string | undefined
  readonly sourceUrl: string | undefined
  readonly getRegistrationMode: () => Promise<'open' | 'invite' | 'closed'>
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly now: () => number
}

export function systemRoutes(app: FastifyInstance, deps: SystemRoutesDeps): void {
  const { version, auth, metrics, probe, isStopping, features, operatorContact, sourceUrl } = deps
  const { plans, getRegistrationMode } = deps
  mount(app, system.config, async () => ({
    product: 'Sallyport',
    version,
    auth: { ...auth },
    plans: [...plans],
    registration: await getRegistrationMode(),
    expirationMinutes: [...expirationLimits.offeredMinutes],
    operatorContact,
    sourceUrl,
    features: { ...features },
  }))

  mount(app, system.checkConnection, async () => undefined)

  openApiRoute(app, version)
  operatorPages(app, { contact: operatorContact, now: deps.now })

  mount(app, system.health, async () => ({ status: isStopping() ? 'stopping' : 'ok' }))

  // The reason is in the log once; a probe every few seconds would fill it.
  const retryAfterSeconds = 5
  const readiness = createStateLog({ log: deps.log, failed: 'not ready', recovered: 'ready again' })
  mount(app, system.readiness, async () => {
    if (isStopping()) throw apiError('UNAVAILABLE', { retryAfterSeconds })
    await probe().catch((error: unknown) => {
      readiness.fail(reasonOf(error))
      throw apiError('UNAVAILABLE', { retryAfterSeconds })
    })
    readiness.recover()
    return { status: 'ok' }
  })

  mount(app, system.metrics, async () => ({
    headers: { 'Content-Type': metrics.contentType },
    stream: Readable.from([Buffer.from(await metrics.render())]),
  }))
}

/** Serves the OpenAPI document, which is built on the first request. */
function openApiRoute(app: FastifyInstance, version: string): void {
  let built: string | null = null
  const build = (): string =>
    JSON.stringify(z.parse(system.openApi.reply, { success: true, ...describeInterface(endpoints, version) }))
  app.route({
    method: system.openApi.method,
    url: system.openApi.path,
    config: { endpoint: system.openApi },
    handler: (_request, reply) => {
      built ??= build()
      return reply.type('application/json; charset=utf-8').send(built)
    },
  })
}

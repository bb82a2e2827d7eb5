import { Readable } from 'node:stream'
import { expirationLimits } from '@sallyport/contract/limits'
import { system } from '@sallyport/contract/system'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import { interfaceDocumentRoute } from './interface-document.ts'
import type { Metrics } from './metrics.ts'
import { operatorPages } from './operator-pages.ts'
import { plans } from './plans.ts'

interface Deps {
  readonly version: string
  readonly auth: { readonly url: string; readonly publishableKey: string }
  readonly metrics: Metrics
  /** Throws while the database or the volumes take no work. */
  readonly probe: () => Promise<void>
  readonly isStopping: () => boolean
  readonly features: { readonly sms: boolean; readonly verificationRequired: boolean }
  readonly operatorContact: string | undefined
  readonly now: () => number
}

export function systemRoutes(app: FastifyInstance, deps: Deps): void {
  const { version, auth, metrics, probe, isStopping, features, operatorContact } = deps
  mount(app, system.config, async () => ({
    product: 'Sallyport',
    version,
    auth: { ...auth },
    plans: [...plans],
    expirationMinutes: [...expirationLimits.offeredMinutes],
    operatorContact,
    features: { payments: false, ...features },
  }))

  mount(app, system.checkConnection, async () => undefined)

  interfaceDocumentRoute(app, version)
  operatorPages(app, { contact: operatorContact, now: deps.now })

  mount(app, system.health, async () => ({ status: isStopping() ? 'stopping' : 'ok' }))

  mount(app, system.readiness, async ({ log }) => {
    if (isStopping()) throw refuse('UNAVAILABLE')
    await probe().catch((error: unknown) => {
      log.error({ err: error }, 'not ready')
      throw refuse('UNAVAILABLE')
    })
    return { status: 'ok' }
  })

  mount(app, system.metrics, async () => ({
    headers: { 'Content-Type': metrics.contentType },
    stream: Readable.from([Buffer.from(await metrics.print())]),
  }))
}

import { Readable } from 'node:stream'
import { endpoints } from '@sallyport/contract/interface'
import { expirationLimits } from '@sallyport/contract/limits'
import { describeInterface } from '@sallyport/contract/openapi'
import { system } from '@sallyport/contract/system'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import type { Metrics } from './metrics.ts'
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

  mount(app, system.openApi, async () => describeInterface(endpoints, version))

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

import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { hashingQueues, type PasswordHashing } from '../resources/password-hashing.ts'
import { exposeResources } from '../resources/resource-metrics.ts'
import type { Resources } from '../resources/resources.ts'

interface MetricsDeps {
  readonly hashing: Pick<PasswordHashing, 'status'>
}

/** Counts what the server does, by the route's pattern and never by who or what. */
export function createMetrics({ hashing }: MetricsDeps) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'sallyport_' })
  const answered = new Histogram({
    name: 'sallyport_http_seconds',
    help: 'Time to answer a request, in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  })
  const swept = new Counter({
    name: 'sallyport_swept_total',
    help: 'Things removed because their time was up',
    labelNames: ['kind'],
    registers: [registry],
  })

  const wrongPins = new Counter({
    name: 'sallyport_wrong_pins_total',
    help: 'PINs that led nowhere',
    registers: [registry],
  })
  const guarded = new Gauge({
    name: 'sallyport_pins_guarded',
    help: '1 while so many PINs are being guessed that strangers have to be let in by hand',
    registers: [registry],
  })

  addHashingGauges(registry, hashing)

  return {
    contentType: registry.contentType,
    print: (): Promise<string> => registry.metrics(),
    countSwept: (kind: string, count: number): void => swept.inc({ kind }, count),
    /** Counts a PIN that led nowhere, and tells whether too many have. */
    countWrongPin(isOverBudget: boolean): void {
      wrongPins.inc()
      guarded.set(Number(isOverBudget))
    },
    /** Shows the use of each bound of the process. */
    showResources: (resources: Resources): void => exposeResources(registry, resources),
    /** Times every answer of an application. */
    watch(app: FastifyInstance): void {
      app.addHook('onResponse', async (request, reply) => {
        const labels = {
          method: request.method,
          route: request.routeOptions.url ?? 'unknown',
          status: reply.statusCode,
        }
        answered.observe(labels, reply.elapsedTime / 1000)
      })
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** Slow password hashes that wait, and those that were rejected because too many did. */
function addHashingGauges(registry: Registry, hashing: MetricsDeps['hashing']): void {
  const gauge = (name: string, help: string, value: keyof ReturnType<PasswordHashing['status']>) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      collect() {
        for (const queue of hashingQueues) this.set({ queue }, hashing.status(queue)[value])
      },
    })
  gauge('sallyport_password_hashes_waiting', 'Password hashes that wait to be computed', 'waiting')
  gauge('sallyport_password_hashes_rejected', 'Password hashes rejected since the start', 'rejected')
}

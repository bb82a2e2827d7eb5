import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { hashingQueues, type PasswordHashing } from '../rate-limit/password-hashing.ts'
import type { Resources } from '../rate-limit/resources.ts'
import { registerResourceMetrics } from './resource-metrics.ts'

interface MetricsDeps {
  readonly hashing: Pick<PasswordHashing, 'status'>
}

/** Prometheus metrics, labelled by route pattern and never by user or content. */
export function createMetrics({ hashing }: MetricsDeps) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'sallyport_' })
  const responseTimes = new Histogram({
    name: 'sallyport_http_seconds',
    help: 'Time to answer a request, in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  })
  const swept = new Counter({
    name: 'sallyport_swept_total',
    help: 'Expired files, uploads and orphans removed',
    labelNames: ['kind'],
    registers: [registry],
  })

  const wrongPins = new Counter({
    name: 'sallyport_wrong_pins_total',
    help: 'Wrong PINs entered',
    registers: [registry],
  })
  const guarded = new Gauge({
    name: 'sallyport_pins_guarded',
    help: '1 while PINs are being guessed so often that anonymous joins need approval',
    registers: [registry],
  })

  addHashingGauges(registry, hashing)

  return {
    contentType: registry.contentType,
    render: (): Promise<string> => registry.metrics(),
    countSwept: (kind: string, count: number): void => swept.inc({ kind }, count),
    /** Counts a wrong PIN and sets whether there are too many. */
    countWrongPin(isOverBudget: boolean): void {
      wrongPins.inc()
      guarded.set(Number(isOverBudget))
    },
    /** Exposes the use of each resource limit. */
    registerResources: (resources: Resources): void => registerResourceMetrics(registry, resources),
    /** Exposes how old the last backup is, or `+Inf` if none can be found. `findTime` resolves with its time or null. */
    registerBackup(findTime: () => Promise<number | null>, now: () => number): void {
      new Gauge({
        name: 'sallyport_backup_age_seconds',
        help: 'Age of the last backup in BACKUP_DIR, in seconds; +Inf if there is none or the folder cannot be read',
        registers: [registry],
        async collect() {
          const time = await findTime()
          this.set(time === null ? Number.POSITIVE_INFINITY : Math.max(0, (now() - time) / 1000))
        },
      })
    },
    /** Measures the response times of an application. */
    instrument(app: FastifyInstance): void {
      app.addHook('onResponse', async (request, reply) => {
        const labels = {
          method: request.method,
          route: request.routeOptions.url ?? 'unknown',
          status: reply.statusCode,
        }
        responseTimes.observe(labels, reply.elapsedTime / 1000)
      })
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** Gauges of waiting and rejected slow password hashes. */
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
  gauge('sallyport_password_hashes_waiting', 'Password hashes waiting to be computed', 'waiting')
  gauge('sallyport_password_hashes_rejected', 'Password hashes rejected since the start', 'rejected')
}

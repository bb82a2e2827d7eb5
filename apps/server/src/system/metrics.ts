import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Counts what the server does, by the route's pattern and never by who or what. */
export function createMetrics() {
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

  return {
    contentType: registry.contentType,
    print: (): Promise<string> => registry.metrics(),
    countSwept: (kind: string, count: number): void => swept.inc({ kind }, count),
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

import { Counter, Gauge, type Registry } from 'prom-client'
import { type Resources, resourceCauses, type SocketKind } from '../rate-limit/resources.ts'

/** Exposes the use of each resource limit as metrics, without identifying callers. */
export function registerResourceMetrics(registry: Registry, resources: Resources): void {
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number): void =>
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('sallyport_queued_bytes', 'Bytes queued for sending on sockets', resources.sends.queuedBytes)
  gauge(
    'sallyport_unsent_answer_bytes',
    'Bytes of responses that clients have not read yet',
    resources.unsentResponses.bytes,
  )
  gauge(
    'sallyport_pipelined_requests',
    'Requests that wait for the response to an earlier one of their connection',
    resources.pipelining.waiting,
  )
  gauge('sallyport_gathered_bytes', 'Bytes of uploads buffered in memory', resources.writeBuffers.bytes)
  gauge('sallyport_connections', 'Open connections', resources.connections.open)
  new Gauge({
    name: 'sallyport_sockets',
    help: 'Open sockets',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const kind of Object.keys(resources.sockets) as SocketKind[])
        this.set({ kind }, resources.sockets[kind].inUse())
    },
  })
  new Counter({
    name: 'sallyport_relayed_bytes_total',
    help: 'Bytes relayed between two devices of a portal',
    registers,
    collect() {
      this.reset()
      this.inc(resources.relayedBytes())
    },
  })
  new Counter({
    name: 'sallyport_resource_cuts_total',
    help: 'Connections, sockets and requests that were closed or rejected because of a resource limit',
    labelNames: ['cause'],
    registers,
    collect() {
      this.reset()
      for (const cause of resourceCauses) this.inc({ cause }, resources.cuts(cause))
    },
  })
}

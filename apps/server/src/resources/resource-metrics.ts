import { Counter, Gauge, type Registry } from 'prom-client'
import { type Resources, resourceCauses, type SocketKind } from './resources.ts'

/** Adds the use of each bound to the metrics: how much and why, never whose. */
export function exposeResources(registry: Registry, resources: Resources): void {
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
  gauge('sallyport_queued_bytes', 'Bytes queued toward sockets', resources.sends.queuedBytes)
  gauge('sallyport_unsent_answer_bytes', 'Bytes of answers that no reader has taken yet', resources.answers.bytes)
  gauge('sallyport_gathered_bytes', 'Bytes of uploads in memory', resources.gathering.bytes)
  gauge('sallyport_connections', 'Open connections', resources.connections.open)
  new Gauge({
    name: 'sallyport_sockets',
    help: 'Open sockets',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const kind of Object.keys(resources.sockets) as SocketKind[])
        this.set({ kind }, resources.sockets[kind].taken())
    },
  })
  new Counter({
    name: 'sallyport_relayed_bytes_total',
    help: 'Bytes carried between two devices of a portal',
    registers,
    collect() {
      this.reset()
      this.inc(resources.relayedBytes())
    },
  })
  new Counter({
    name: 'sallyport_resource_cuts_total',
    help: 'Connections, sockets and requests that were cut or refused because a bound was reached',
    labelNames: ['cause'],
    registers,
    collect() {
      this.reset()
      for (const cause of resourceCauses) this.inc({ cause }, resources.cuts(cause))
    },
  })
}

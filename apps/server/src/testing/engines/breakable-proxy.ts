import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface BreakableProxy {
  readonly port: number
  /** Closes all connections and rejects new ones, as if the target had stopped. */
  disconnect(): Promise<void>
  reconnect(): Promise<void>
}

/** Starts a TCP proxy that can be disconnected and reconnected. */
export async function startBreakableProxy(target: {
  readonly port: number
  readonly host: string
}): Promise<BreakableProxy> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(target.port, target.host)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined).pipe(other)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  const listen = (port: number) => new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = proxy.address() as AddressInfo
  return {
    port,
    async disconnect() {
      const closed = new Promise((resolve) => proxy.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    reconnect: () => listen(port),
  }
}

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface BreakableLine {
  readonly port: number
  /** Cuts all connections and takes no new ones, as if what is behind had stopped. */
  cut(): Promise<void>
  mend(): Promise<void>
}

/** A way to a port that can be cut and mended. */
export async function openBreakableLine(to: { readonly port: number; readonly host: string }): Promise<BreakableLine> {
  const ends = new Set<Socket>()
  const line = createServer((near) => {
    const far = connect(to.port, to.host)
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('error', () => undefined).pipe(other)
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
    }
  })
  const listen = (port: number) => new Promise<void>((resolve) => line.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = line.address() as AddressInfo
  return {
    port,
    async cut() {
      const closed = new Promise((resolve) => line.close(resolve))
      for (const end of ends) end.destroy()
      await closed
    },
    mend: () => listen(port),
  }
}

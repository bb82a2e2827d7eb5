import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface UploadGate {
  /** Stands in for the server's own address. */
  readonly url: string
  /** Numbers of the chunks that were sent, in their order; one that was sent twice is there twice. */
  readonly chunks: readonly number[]
  /** Lets so many bytes of chunks pass from here on and then holds chunks back; resolves when it does. */
  holdAfter(bytes: number): Promise<void>
  /** Lets everything pass again. */
  release(): void
  /** Cuts every connection. */
  cut(): void
  /** Leads to another server from here on. */
  leadTo(url: string): void
  close(): Promise<void>
}

/** Stands between a browser and a server, counts the chunks that pass and can hold them back half way. */
export async function openUploadGate(targetUrl: string): Promise<UploadGate> {
  const chunks: number[] = []
  const sockets = new Set<Socket>()
  const held = new Set<Socket>()
  const senders = new Set<Socket>()
  let target = new URL(targetUrl)
  let room = Number.POSITIVE_INFINITY
  let full: () => void = () => undefined

  function take(piece: Buffer, near: Socket): void {
    // A browser asks one thing after another on a connection, so what it asks begins with a piece.
    if (/^[A-Z]{3,7} \//.test(piece.subarray(0, 9).toString('latin1'))) setRole(piece, near)
    if (!senders.has(near)) return
    room -= piece.length
    if (room > 0) return
    near.pause()
    held.add(near)
    full()
  }

  function setRole(piece: Buffer, near: Socket): void {
    const head = piece.subarray(0, 4096).toString('latin1')
    const index = /^POST \/api\/upload-chunk[\s\S]*?\r\nx-chunk-index: (\d+)/i.exec(head)?.[1]
    if (index === undefined) return void senders.delete(near)
    senders.add(near)
    chunks.push(Number(index))
  }

  const gate = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        held.delete(from)
        to.destroy()
      })
      from.on('end', () => to.end())
      to.on('drain', () => held.has(from) || from.resume())
    }
    near.on('data', (piece: Buffer) => {
      if (!far.write(piece)) near.pause()
      take(piece, near)
    })
    far.on('data', (piece) => {
      if (!near.write(piece)) far.pause()
    })
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))

  const letGo = () => {
    for (const socket of held) socket.resume()
    held.clear()
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    chunks,
    holdAfter(bytes) {
      room = bytes
      letGo()
      return new Promise((resolve) => {
        full = resolve
      })
    },
    release() {
      room = Number.POSITIVE_INFINITY
      letGo()
    },
    cut,
    leadTo(url) {
      target = new URL(url)
    },
    async close() {
      const closed = new Promise((resolve) => gate.close(resolve))
      cut()
      await closed
    },
  }
}

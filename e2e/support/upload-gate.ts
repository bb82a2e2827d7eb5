import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface UploadGate {
  /** Stands in for the server's own address. */
  readonly url: string
  /** Numbers of the chunks that were sent, in their order; one that was sent twice is there twice. */
  readonly chunks: readonly number[]
  /**
   * Holds the chunks from this number on back, a little of each passed; resolves once all before them are answered and
   * one is held.
   */
  holdFrom(index: number): Promise<void>
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
  /** The chunk that a connection carries at the moment. */
  const senders = new Map<Socket, number>()
  const answered = new Set<number>()
  let target = new URL(targetUrl)
  let firstHeld = Number.POSITIVE_INFINITY
  let tellHeld: () => void = () => undefined

  function take(piece: Buffer, near: Socket): void {
    // A browser asks one thing after another on a connection, so what it asks begins with a piece.
    if (/^[A-Z]{3,7} \//.test(piece.subarray(0, 9).toString('latin1'))) setRole(piece, near)
    if ((senders.get(near) ?? -1) < firstHeld) return
    near.pause()
    held.add(near)
    look()
  }

  function look(): void {
    const areAnswered = Array.from({ length: firstHeld }).every((_, index) => answered.has(index))
    if (held.size > 0 && areAnswered) tellHeld()
  }

  function noteAnswer(near: Socket): void {
    const index = senders.get(near)
    if (index === undefined || index >= firstHeld || answered.has(index)) return
    answered.add(index)
    if (Number.isFinite(firstHeld)) look()
  }

  function setRole(piece: Buffer, near: Socket): void {
    const head = piece.subarray(0, 4096).toString('latin1')
    const index = /^POST \/api\/upload-chunk[\s\S]*?\r\nx-chunk-index: (\d+)/i.exec(head)?.[1]
    if (index === undefined) return void senders.delete(near)
    senders.set(near, Number(index))
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
        senders.delete(from)
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
      noteAnswer(near)
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
    holdFrom(index) {
      firstHeld = index
      letGo()
      return new Promise((resolve) => {
        tellHeld = resolve
      })
    },
    release() {
      firstHeld = Number.POSITIVE_INFINITY
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

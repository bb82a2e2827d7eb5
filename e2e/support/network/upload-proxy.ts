import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface UploadProxy {
  /** The address to use instead of the server's. */
  readonly url: string
  /** Indexes of the chunks that were sent, in order, with repetitions. */
  readonly chunks: readonly number[]
  /** Number of connections for which it could not reach the server. */
  failedConnections(): number
  /**
   * Holds back the chunks from this index on after their first bytes; resolves once all earlier ones are answered and
   * one is held.
   */
  holdChunksFrom(index: number): Promise<void>
  /** Lets everything pass again. */
  release(): void
  /** Cuts every connection. */
  cut(): void
  /** Forwards to another server from now on. */
  setTarget(url: string): void
  close(): Promise<void>
}

/** Starts a proxy between a browser and a server that counts upload chunks and can stall them midway. */
export async function startUploadProxy(targetUrl: string): Promise<UploadProxy> {
  const chunks: number[] = []
  const sockets = new Set<Socket>()
  const held = new Set<Socket>()
  /** The chunk that each connection carries. */
  const chunkBySocket = new Map<Socket, number>()
  const answeredChunks = new Set<number>()
  let target = new URL(targetUrl)
  let failedConnections = 0
  let firstHeld = Number.POSITIVE_INFINITY
  let resolveHeld: () => void = () => undefined

  function handleData(piece: Buffer, downstream: Socket): void {
    // A browser does not pipeline requests, so each request starts at the beginning of a piece.
    if (/^[A-Z]{3,7} \//.test(piece.subarray(0, 9).toString('latin1'))) parseRequest(piece, downstream)
    if ((chunkBySocket.get(downstream) ?? -1) < firstHeld) return
    downstream.pause()
    held.add(downstream)
    checkHeld()
  }

  function checkHeld(): void {
    const areEarlierAnswered = Array.from({ length: firstHeld }).every((_, index) => answeredChunks.has(index))
    if (held.size > 0 && areEarlierAnswered) resolveHeld()
  }

  function handleResponse(downstream: Socket): void {
    const index = chunkBySocket.get(downstream)
    if (index === undefined || index >= firstHeld || answeredChunks.has(index)) return
    answeredChunks.add(index)
    if (Number.isFinite(firstHeld)) checkHeld()
  }

  function parseRequest(piece: Buffer, downstream: Socket): void {
    const requestHead = piece.subarray(0, 4096).toString('latin1')
    const index = /^POST \/api\/upload-chunk[\s\S]*?\r\nx-chunk-index: (\d+)/i.exec(requestHead)?.[1]
    if (index === undefined) return void chunkBySocket.delete(downstream)
    chunkBySocket.set(downstream, Number(index))
    chunks.push(Number(index))
  }

  const proxy = createServer((downstream) => {
    const upstream = connect(Number(target.port), target.hostname)
    upstream.once('error', () => {
      if (upstream.bytesRead === 0) failedConnections += 1
    })
    for (const [from, to] of [
      [downstream, upstream],
      [upstream, downstream],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        held.delete(from)
        chunkBySocket.delete(from)
        to.destroy()
      })
      from.on('end', () => to.end())
      to.on('drain', () => held.has(from) || from.resume())
    }
    downstream.on('data', (piece: Buffer) => {
      if (!upstream.write(piece)) downstream.pause()
      handleData(piece, downstream)
    })
    upstream.on('data', (piece) => {
      if (!downstream.write(piece)) upstream.pause()
      handleResponse(downstream)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))

  const resumeHeld = () => {
    for (const socket of held) socket.resume()
    held.clear()
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    chunks,
    failedConnections: () => failedConnections,
    holdChunksFrom(index) {
      firstHeld = index
      resumeHeld()
      return new Promise((resolve) => {
        resolveHeld = resolve
      })
    },
    release() {
      firstHeld = Number.POSITIVE_INFINITY
      resumeHeld()
    },
    cut,
    setTarget(url) {
      target = new URL(url)
    },
    async close() {
      const closed = new Promise((resolve) => proxy.close(resolve))
      cut()
      await closed
    },
  }
}

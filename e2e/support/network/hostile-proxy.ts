import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'

interface HostileProxyOptions {
  /** Cuts every connection this long after it was opened. */
  readonly cutAfterMs?: number
  /** Answers requests with a longer body with 413 and an HTML page. */
  readonly maxBodyBytes?: number
  /** Bandwidth over all connections in bytes per second, for requests and for responses each. */
  readonly maxBytesPerSecond?: number
  /** Answers WebSocket handshakes with 403 and an HTML page. */
  readonly rejectsSockets?: boolean
}

export interface HostileProxy {
  /** The address to use instead of the server's. */
  readonly url: string
  /** Number of connections that were cut after they had carried data. */
  cutCount(): number
  /** Paths of the requests that it rejected itself. */
  readonly rejectedPaths: readonly string[]
  /** Paths at which WebSockets were opened. */
  readonly socketPaths: readonly string[]
  /** Response bytes that it has forwarded for paths with this prefix. */
  forwardedBytes(path: string): number
  /** Holds back responses for paths with this prefix after `afterBytes` bytes, until the returned function is called. */
  holdResponses(path: string, afterBytes: number): () => void
  /** Forwards to another server from now on. */
  setTarget(targetUrl: string): void
  /** Cuts all connections and rejects new ones until the returned function is called. */
  disconnect(): () => void
  /** Number of connections that were rejected while it was disconnected. */
  rejectedConnections(): number
  close(): Promise<void>
}

const rejectionPage = '<!doctype html><title>Refused</title><h1>This network does not allow that</h1>'

/** Starts a misbehaving proxy between a browser and a server. */
export async function startHostileProxy(targetUrl: string, options: HostileProxyOptions): Promise<HostileProxy> {
  const { cutAfterMs, maxBodyBytes = Number.POSITIVE_INFINITY, rejectsSockets = false } = options
  const throttles = { up: createThrottle(options.maxBytesPerSecond), down: createThrottle(options.maxBytesPerSecond) }
  const bytesByPath = new Map<string, number>()
  let target = new URL(targetUrl)
  let isDisconnected = false
  const connections = new Set<Socket>()
  const rejectedPaths: string[] = []
  const socketPaths: string[] = []
  let cutCount = 0
  let rejectedConnections = 0
  let waitUntilReleased = (_path: string): Promise<void> | undefined => undefined

  const forwardedBytes = (start: string): number =>
    [...bytesByPath].reduce((sum, [path, bytes]) => (path.startsWith(start) ? sum + bytes : sum), 0)

  const pathOf = ({ url = '/' }: IncomingMessage): string => new URL(url, target).pathname

  function forward(downstream: IncomingMessage, answer: ServerResponse): void {
    if (Number(downstream.headers['content-length'] ?? 0) > maxBodyBytes) {
      rejectedPaths.push(pathOf(downstream))
      // Reads the rest of the body: closing the connection earlier could discard the response.
      answer.writeHead(413, { 'content-type': 'text/html' }).end(rejectionPage)
      return void downstream.resume()
    }
    const path = pathOf(downstream)
    const { hostname: host, port } = target
    const upstream = sendRequest({
      host,
      port,
      method: downstream.method,
      path: downstream.url,
      headers: downstream.headers,
      agent: false,
    })
    upstream.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      const count = async (bytes: number) => {
        await waitUntilReleased(path)
        bytesByPath.set(path, (bytesByPath.get(path) ?? 0) + bytes)
      }
      // A response that is cut off must not look complete.
      pipeline(response, throttles.down(count), answer, (error) => void (error && downstream.socket.destroy()))
    })
    upstream.on('error', () => downstream.socket.destroy())
    answer.once('close', () => upstream.destroy())
    pipeline(downstream, throttles.up(), upstream, () => undefined)
  }

  function forwardSocket(request: IncomingMessage, downstream: Socket, head: Buffer): void {
    if (rejectsSockets) {
      rejectedPaths.push(pathOf(request))
      return void downstream.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n${rejectionPage}`,
      )
    }
    socketPaths.push(pathOf(request))
    const upstream = connect(Number(target.port), target.hostname)
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    upstream.write(head)
    pipeline(downstream, upstream, downstream, () => undefined)
  }

  const proxy = createServer(forward).on('upgrade', forwardSocket)
  proxy.on('connection', (connection: Socket) => {
    if (isDisconnected) {
      rejectedConnections += 1
      return void connection.resetAndDestroy()
    }
    connections.add(connection)
    const cut = () => {
      if (connection.bytesRead > 0) cutCount += 1
      connection.resetAndDestroy()
    }
    const timer = cutAfterMs === undefined ? undefined : setTimeout(cut, cutAfterMs)
    connection.on('error', () => undefined)
    connection.on('close', () => {
      clearTimeout(timer)
      connections.delete(connection)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cutCount: () => cutCount,
    rejectedPaths,
    socketPaths,
    forwardedBytes,
    holdResponses(start, afterBytes) {
      const { promise: released, resolve } = Promise.withResolvers<void>()
      waitUntilReleased = (path) =>
        path.startsWith(start) && forwardedBytes(start) >= afterBytes ? released : undefined
      return resolve
    },
    setTarget(url) {
      target = new URL(url)
    },
    disconnect() {
      isDisconnected = true
      for (const connection of connections) connection.resetAndDestroy()
      return () => {
        isDisconnected = false
      }
    },
    rejectedConnections: () => rejectedConnections,
    async close() {
      const closed = new Promise((resolve) => proxy.close(resolve))
      for (const connection of connections) connection.destroy()
      await closed
    },
  }
}

/** Creates streams that share one bandwidth limit; each piece is forwarded once `isDue` resolves. */
function createThrottle(maxBytesPerSecond = Number.POSITIVE_INFINITY) {
  let freeAt = 0
  return (ready: (bytes: number) => Promise<void> = async () => undefined): Transform =>
    new Transform({
      transform(piece: Buffer, _encoding, done) {
        const now = performance.now()
        freeAt = Math.max(now, freeAt) + (piece.length / maxBytesPerSecond) * 1000
        setTimeout(() => void ready(piece.length).then(() => done(null, piece)), freeAt - now)
      },
    })
}

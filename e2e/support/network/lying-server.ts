import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

/** Any signalling message. */
export interface Signal {
  readonly type: string
  readonly [field: string]: unknown
}

/** The signalling socket of a device. */
interface DeviceSocket {
  /** Sockets are numbered from 0 in the order in which they were opened. */
  readonly index: number
  /** Sends a message to the device as if it came from the server. */
  sendToDevice(message: Signal): void
  /** Sends a message to the real server as if it came from the device. */
  sendToServer(message: Signal): void
}

/** Returns the message to forward instead; null drops it. */
type RewriteSignal = (message: Signal, deviceSocket: DeviceSocket) => Signal | null

interface SignalRewrites {
  /** From a device to the real server. */
  readonly fromDevice?: RewriteSignal
  /** From the real server to a device. */
  readonly toDevice?: RewriteSignal
}

export interface LyingServer {
  /** The address that devices take for the server. */
  readonly url: string
  /** All messages that devices have sent, per socket. */
  readonly received: readonly string[][]
  /** Changes messages with these handlers from now on. */
  setRewrites(rewrites: SignalRewrites): void
  close(): Promise<void>
}

const signallingPath = '/api/webrtc-signal'

/** Starts a malicious server that forwards everything to the real one and can change the signalling messages. */
export async function startLyingServer(targetUrl: string): Promise<LyingServer> {
  const target = new URL(targetUrl)
  const sockets = new WebSocketServer({ noServer: true })
  const received: string[][] = []
  let rewrites: SignalRewrites = {}

  function forward(downstream: IncomingMessage, answer: ServerResponse): void {
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
      if (answer.destroyed) return void response.destroy()
      answer.writeHead(response.statusCode ?? 502, response.headers)
      pipeline(response, answer, () => undefined)
    })
    upstream.on('error', () => downstream.socket.destroy())
    answer.once('close', () => upstream.destroy())
    pipeline(downstream, upstream, () => undefined)
  }

  function forwardSocket(downstream: WebSocket, { url = '/', headers }: IncomingMessage): void {
    const upstream = new WebSocket(new URL(url, target.href.replace('http', 'ws')), {
      headers: { host: headers.host, origin: headers.origin },
    })
    const isSignalling = url.startsWith(signallingPath)
    const messages: string[] = []
    const deviceSocket: DeviceSocket = {
      index: isSignalling ? received.push(messages) - 1 : -1,
      sendToDevice: (message) => downstream.send(JSON.stringify(message)),
      sendToServer: (message) => upstream.send(JSON.stringify(message)),
    }
    const forwardMessage = (data: RawData, isBinary: boolean, to: WebSocket, rewrite: RewriteSignal | undefined) => {
      if (!isSignalling || isBinary) return to.send(data, { binary: isBinary })
      const message = JSON.parse(String(data)) as Signal
      const forwarded = rewrite ? rewrite(message, deviceSocket) : message
      if (forwarded && to.readyState === WebSocket.OPEN) to.send(JSON.stringify(forwarded))
    }
    const opened = new Promise((resolve) => upstream.once('open', resolve))
    downstream.on('message', async (data, isBinary) => {
      if (isSignalling) messages.push(String(data))
      await opened
      forwardMessage(data, isBinary, upstream, rewrites.fromDevice)
    })
    upstream.on('message', (data, isBinary) => forwardMessage(data, isBinary, downstream, rewrites.toDevice))
    downstream.on('close', () => upstream.close())
    upstream.on('close', () => downstream.close())
    upstream.on('error', () => downstream.terminate())
  }

  const server = createServer(forward).on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (downstream) => forwardSocket(downstream, request))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    setRewrites(next) {
      rewrites = next
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

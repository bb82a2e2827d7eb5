import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

/** A signalling message, whatever it says. */
export interface Signal {
  readonly type: string
  readonly [field: string]: unknown
}

/** One device's line to the server. */
interface Line {
  /** Lines are counted from 0 in the order in which they were opened. */
  readonly number: number
  /** Says something to the device as if the server had said it. */
  tell(message: Signal): void
  /** Says something to the real server as if the device had said it. */
  say(message: Signal): void
}

/** What is passed on in the place of a message; null keeps it back. */
type Lie = (message: Signal, line: Line) => Signal | null

interface Lies {
  /** From a device to the real server. */
  readonly said?: Lie
  /** From the real server to a device. */
  readonly told?: Lie
}

export interface LyingServer {
  /** Where devices believe that the server is. */
  readonly url: string
  /** All that devices have said, line by line. */
  readonly heard: readonly string[][]
  /** Lies like this from now on. */
  lie(lies: Lies): void
  close(): Promise<void>
}

const signallingPath = '/api/webrtc-signal'

/** Stands where the server stands, passes everything on to the real one, and changes what devices say to each other there. */
export async function startLyingServer(targetUrl: string): Promise<LyingServer> {
  const target = new URL(targetUrl)
  const sockets = new WebSocketServer({ noServer: true })
  const heard: string[][] = []
  let lies: Lies = {}

  function pass(near: IncomingMessage, answer: ServerResponse): void {
    const { hostname: host, port } = target
    const far = sendRequest({ host, port, method: near.method, path: near.url, headers: near.headers, agent: false })
    far.on('response', (response) => {
      if (answer.destroyed) return void response.destroy()
      answer.writeHead(response.statusCode ?? 502, response.headers)
      pipeline(response, answer, () => undefined)
    })
    far.on('error', () => near.socket.destroy())
    answer.once('close', () => far.destroy())
    pipeline(near, far, () => undefined)
  }

  function stand(near: WebSocket, { url = '/', headers }: IncomingMessage): void {
    const far = new WebSocket(new URL(url, target.href.replace('http', 'ws')), {
      headers: { host: headers.host, origin: headers.origin },
    })
    const isSignalling = url.startsWith(signallingPath)
    const words: string[] = []
    const line: Line = {
      number: isSignalling ? heard.push(words) - 1 : -1,
      tell: (message) => near.send(JSON.stringify(message)),
      say: (message) => far.send(JSON.stringify(message)),
    }
    const carry = (data: RawData, isBinary: boolean, to: WebSocket, lie: Lie | undefined) => {
      if (!isSignalling || isBinary) return to.send(data, { binary: isBinary })
      const message = JSON.parse(String(data)) as Signal
      const passed = lie ? lie(message, line) : message
      if (passed && to.readyState === WebSocket.OPEN) to.send(JSON.stringify(passed))
    }
    const opened = new Promise((resolve) => far.once('open', resolve))
    near.on('message', async (data, isBinary) => {
      if (isSignalling) words.push(String(data))
      await opened
      carry(data, isBinary, far, lies.said)
    })
    far.on('message', (data, isBinary) => carry(data, isBinary, near, lies.told))
    near.on('close', () => far.close())
    far.on('close', () => near.close())
    far.on('error', () => near.terminate())
  }

  const server = createServer(pass).on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (near) => stand(near, request))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    lie(next) {
      lies = next
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

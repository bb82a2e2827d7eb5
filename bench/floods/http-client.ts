import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { WebSocket } from 'ws'

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface RequestOptions {
  readonly accessToken?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a buffer as raw bytes. */
  readonly body?: object | Buffer
}

export interface HttpClient {
  /** Sends one request; rejects only when the connection fails. */
  send(method: string, path: string, options?: RequestOptions): Promise<HttpResponse>
  /** Opens a WebSocket and resolves once it is open. */
  openSocket(path: string): Promise<WebSocket>
  close(): void
}

/** Creates a client with one source address of the loopback range and keep-alive connections. */
export function createHttpClient(url: string, localAddress: string, maxSockets = 8): HttpClient {
  const { hostname, port } = new URL(url)
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname
  const agent = new Agent({ keepAlive: true, maxSockets })
  return {
    send: (method, path, { accessToken, headers, body } = {}) =>
      new Promise((resolve, reject) => {
        const isBinary = Buffer.isBuffer(body)
        const content = body === undefined ? undefined : isBinary ? body : Buffer.from(JSON.stringify(body))
        const clientRequest = request(
          {
            host,
            port,
            method,
            path,
            agent,
            localAddress,
            headers: {
              host: `localhost:${port}`,
              ...(content && {
                'content-type': isBinary ? 'application/octet-stream' : 'application/json',
                'content-length': content.length,
              }),
              ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
              ...headers,
            },
          },
          (response) => {
            buffer(response).then(
              (received) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
              reject,
            )
          },
        )
        clientRequest.once('error', reject)
        clientRequest.end(content)
      }),
    openSocket: (path) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://${host}:${port}${path}`, { origin: url, localAddress })
        socket.once('open', () => resolve(socket))
        socket.once('error', reject)
      }),
    close: () => agent.destroy(),
  }
}

/** Parses the JSON body of a response; throws on an error status. */
export function parseJson<Reply>({ status, body }: HttpResponse): Reply {
  if (status >= 400) throw new Error(`${status} ${body.subarray(0, 200)}`)
  return JSON.parse(String(body)) as Reply
}

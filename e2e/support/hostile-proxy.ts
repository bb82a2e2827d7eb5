import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'

interface Habits {
  /** Every connection is cut so long after it was made, whatever it carries. */
  readonly cutAfterMs?: number
  /** A request whose body is longer is answered with 413 and a page of its own. */
  readonly mostBodyBytes?: number
  /** What it passes on in a second, over all connections: so much of requests, and so much of answers. */
  readonly mostBytesPerSecond?: number
  /** Sockets are answered with 403 and a page of its own. */
  readonly refusesSockets?: boolean
}

export interface HostileProxy {
  /** Stands in for the server's own address. */
  readonly url: string
  /** How many connections it has cut while they carried something. */
  cuts(): number
  /** The paths of what it refused in the server's place. */
  readonly refused: readonly string[]
  /** The paths sockets were opened at. */
  readonly sockets: readonly string[]
  /** Bytes of answers that it has passed on of paths that begin like this. */
  passedBytes(path: string): number
  /** Once so many bytes of answers of paths that begin like this were passed on, the rest waits until the answer is called. */
  holdAnswers(path: string, afterBytes: number): () => void
  /** Leads to another server from now on. */
  lead(targetUrl: string): void
  /** Cuts what there is, and takes nothing more until the answer is called. */
  drop(): () => void
  close(): Promise<void>
}

const ownPage = '<!doctype html><title>Refused</title><h1>This network does not allow that</h1>'

/** A proxy with bad habits between a browser and a server. */
export async function startHostileProxy(targetUrl: string, habits: Habits): Promise<HostileProxy> {
  const { cutAfterMs, mostBodyBytes = Number.POSITIVE_INFINITY, refusesSockets = false } = habits
  const brakes = { up: createBrake(habits.mostBytesPerSecond), down: createBrake(habits.mostBytesPerSecond) }
  const passed = new Map<string, number>()
  let target = new URL(targetUrl)
  let isDropped = false
  const lines = new Set<Socket>()
  const refused: string[] = []
  const sockets: string[] = []
  let cuts = 0
  let waitWhileHeld = (_path: string): Promise<void> | undefined => undefined

  const passedBytes = (start: string): number =>
    [...passed].reduce((sum, [path, bytes]) => (path.startsWith(start) ? sum + bytes : sum), 0)

  const pathOf = ({ url = '/' }: IncomingMessage): string => new URL(url, target).pathname

  function pass(near: IncomingMessage, answer: ServerResponse): void {
    if (Number(near.headers['content-length'] ?? 0) > mostBodyBytes) {
      refused.push(pathOf(near))
      // Reads the rest, as a line that is shut before that may take the answer along.
      answer.writeHead(413, { 'content-type': 'text/html' }).end(ownPage)
      return void near.resume()
    }
    const path = pathOf(near)
    const { hostname: host, port } = target
    const far = sendRequest({ host, port, method: near.method, path: near.url, headers: near.headers, agent: false })
    far.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      const count = async (bytes: number) => {
        await waitWhileHeld(path)
        passed.set(path, (passed.get(path) ?? 0) + bytes)
      }
      // What is cut off between the two must not look like an end.
      pipeline(response, brakes.down(count), answer, (error) => void (error && near.socket.destroy()))
    })
    far.on('error', () => near.socket.destroy())
    answer.once('close', () => far.destroy())
    pipeline(near, brakes.up(), far, () => undefined)
  }

  function passSocket(request: IncomingMessage, near: Socket, head: Buffer): void {
    if (refusesSockets) {
      refused.push(pathOf(request))
      return void near.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n${ownPage}`)
    }
    sockets.push(pathOf(request))
    const far = connect(Number(target.port), target.hostname)
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    far.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    far.write(head)
    pipeline(near, far, near, () => undefined)
  }

  const proxy = createServer(pass).on('upgrade', passSocket)
  proxy.on('connection', (line: Socket) => {
    if (isDropped) return void line.resetAndDestroy()
    lines.add(line)
    const cut = () => {
      if (line.bytesRead > 0) cuts += 1
      line.resetAndDestroy()
    }
    const timer = cutAfterMs === undefined ? undefined : setTimeout(cut, cutAfterMs)
    line.on('error', () => undefined)
    line.on('close', () => {
      clearTimeout(timer)
      lines.delete(line)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cuts: () => cuts,
    refused,
    sockets,
    passedBytes,
    holdAnswers(start, afterBytes) {
      const { promise: letGo, resolve } = Promise.withResolvers<void>()
      waitWhileHeld = (path) => (path.startsWith(start) && passedBytes(start) >= afterBytes ? letGo : undefined)
      return resolve
    },
    lead(url) {
      target = new URL(url)
    },
    drop() {
      isDropped = true
      for (const line of lines) line.resetAndDestroy()
      return () => {
        isDropped = false
      }
    },
    async close() {
      const closed = new Promise((resolve) => proxy.close(resolve))
      for (const line of lines) line.destroy()
      await closed
    },
  }
}

/** Makes streams that together pass no more than so many bytes a second on, each piece once `isDue` says so. */
function createBrake(mostBytesPerSecond = Number.POSITIVE_INFINITY) {
  let freeAt = 0
  return (isDue: (bytes: number) => Promise<void> = async () => undefined): Transform =>
    new Transform({
      transform(piece: Buffer, _encoding, done) {
        const now = performance.now()
        freeAt = Math.max(now, freeAt) + (piece.length / mostBytesPerSecond) * 1000
        setTimeout(() => void isDue(piece.length).then(() => done(null, piece)), freeAt - now)
      },
    })
}

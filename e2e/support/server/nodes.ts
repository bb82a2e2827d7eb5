import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from './server.ts'

export interface Nodes {
  /** The address of the load balancer. */
  readonly url: string
  /** Number of sockets of a path per node so far. */
  socketsAt(path: string): readonly number[]
  /** Kills a node with SIGKILL; its data stays. */
  kill(index: number): Promise<void>
  /** Restarts a killed node with its data. */
  restart(index: number): Promise<void>
  stop(): Promise<void>
}

/** Starts the nodes of one instance with one Redis, behind a load balancer that distributes the sockets of each path. */
export async function startNodes(count: number): Promise<Nodes> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-nodes-'))
  const redis = await startRedis(folder)
  const environment = { REDIS_URL: `unix://${join(folder, 'redis.sock')}` }
  const nodes: (RunningServer | null)[] = []
  const start = async (index: number): Promise<void> => {
    nodes[index] = await startServer({ environment, dataFolder: join(folder, `node-${index}`) })
  }
  mkdirSync(join(folder, 'secrets'), { mode: 0o700 })
  for (let index = 0; index < count; index += 1) {
    mkdirSync(join(folder, `node-${index}`))
    symlinkSync(join(folder, 'secrets'), join(folder, `node-${index}`, 'secrets'))
    await start(index)
  }

  const balancer = await startBalancer(() => nodes)

  return {
    url: balancer.url,
    socketsAt: balancer.socketsAt,
    async kill(index) {
      await nodes[index]?.kill()
      nodes[index] = null
    },
    restart: start,
    async stop() {
      balancer.close()
      for (const node of nodes) await node?.kill()
      redis.kill('SIGKILL')
      await once(redis, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Balancer extends Pick<Nodes, 'url' | 'socketsAt'> {
  close(): void
}

/** Starts a load balancer that distributes the sockets of each path evenly over the running nodes. */
export async function startBalancer(getNodes: () => readonly (RunningServer | null)[]): Promise<Balancer> {
  const socketCounts = new Map<string, number[]>()
  const balancer = createServer((downstream) => {
    downstream.on('error', () => undefined)
    downstream.once('data', (head) => {
      const nodes = getNodes()
      const path = /^GET (\/api\/[\w-]+)\?/.exec(String(head))?.[1] ?? ''
      const counts = socketCounts.get(path) ?? nodes.map(() => 0)
      socketCounts.set(path, counts)
      const running = nodes.flatMap((node, index) => (node ? [{ node, index }] : []))
      const next = running.toSorted((a, b) => (counts[a.index] ?? 0) - (counts[b.index] ?? 0))[0]
      if (next) {
        counts[next.index] = (counts[next.index] ?? 0) + 1
        forward(downstream, Number(new URL(next.node.url).port), head as Buffer)
      } else downstream.destroy()
    })
  })
  await once(balancer.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://localhost:${(balancer.address() as AddressInfo).port}`,
    socketsAt: (path) => socketCounts.get(path) ?? [],
    close: () => void balancer.close(),
  }
}

function forward(downstream: Socket, port: number, head: Buffer): void {
  const upstream = connect(port, '127.0.0.1')
  upstream.on('error', () => downstream.destroy())
  upstream.on('close', () => downstream.destroy())
  downstream.on('close', () => upstream.destroy())
  upstream.write(head)
  downstream.pipe(upstream).pipe(downstream)
}

async function startRedis(folder: string): Promise<ChildProcess> {
  const flags = ['--port', '0', '--unixsocket', join(folder, 'redis.sock'), '--save', '', '--dir', folder]
  const redis = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    redis.once('error', () => reject(new Error('The journey needs redis-server: apt-get install --yes redis-server')))
    redis.once('exit', (code) => reject(new Error(`redis-server exited with ${code}`)))
    redis.stdout?.on('data', (output: Buffer) => {
      if (/ready to accept connections/i.test(String(output))) resolve()
    })
  })
  return redis
}

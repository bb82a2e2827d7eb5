import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from './server.ts'

export interface Nodes {
  /** Where people reach them, whichever node answers. */
  readonly url: string
  /** How many sockets of a path each node was given so far. */
  socketsAt(path: string): readonly number[]
  /** Ends a node without a word; what it kept stays. */
  kill(index: number): Promise<void>
  /** Starts a node that was killed on what it had kept. */
  restart(index: number): Promise<void>
  stop(): Promise<void>
}

/** Servers of one instance, with one Redis and one address: the sockets of a path go to one node after the other. */
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

/** Listens at one address for several nodes: the sockets of a path go to one running node after the other. */
export async function startBalancer(nodesNow: () => readonly (RunningServer | null)[]): Promise<Balancer> {
  const given = new Map<string, number[]>()
  const balancer = createServer((line) => {
    line.on('error', () => undefined)
    line.once('data', (beginning) => {
      const nodes = nodesNow()
      const path = /^GET (\/api\/[\w-]+)\?/.exec(String(beginning))?.[1] ?? ''
      const counts = given.get(path) ?? nodes.map(() => 0)
      given.set(path, counts)
      const running = nodes.flatMap((node, index) => (node ? [{ node, index }] : []))
      const next = running.toSorted((a, b) => (counts[a.index] ?? 0) - (counts[b.index] ?? 0))[0]
      if (next) {
        counts[next.index] = (counts[next.index] ?? 0) + 1
        carry(line, Number(new URL(next.node.url).port), beginning as Buffer)
      } else line.destroy()
    })
  })
  await once(balancer.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://localhost:${(balancer.address() as AddressInfo).port}`,
    socketsAt: (path) => given.get(path) ?? [],
    close: () => void balancer.close(),
  }
}

function carry(line: Socket, port: number, beginning: Buffer): void {
  const onward = connect(port, '127.0.0.1')
  onward.on('error', () => line.destroy())
  onward.on('close', () => line.destroy())
  line.on('close', () => onward.destroy())
  onward.write(beginning)
  line.pipe(onward).pipe(line)
}

async function startRedis(folder: string): Promise<ChildProcess> {
  const flags = ['--port', '0', '--unixsocket', join(folder, 'redis.sock'), '--save', '', '--dir', folder]
  const redis = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    redis.once('error', () => reject(new Error('The journey needs redis-server: apt-get install --yes redis-server')))
    redis.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    redis.stdout?.on('data', (lines: Buffer) => {
      if (/ready to accept connections/i.test(String(lines))) resolve()
    })
  })
  return redis
}

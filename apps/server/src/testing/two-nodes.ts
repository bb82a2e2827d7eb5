import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { aFolder } from './folder.ts'
import { startServerProcess } from './server-process.ts'
import { startWholeServer } from './whole-server.ts'

/** A folder for a server, with the secrets that all nodes of an instance have in common. */
function aNodeFolder(secrets: string): string {
  const folder = aFolder()
  mkdirSync(secrets, { recursive: true, mode: 0o700 })
  symlinkSync(secrets, join(folder, 'secrets'))
  return folder
}

/** One server in this process and one in a process of its own, which can be killed; they share a Redis and secrets. */
export async function startMortalNodes(redisUrl: string) {
  const secrets = join(aFolder(), 'secrets')
  const lasting = await startWholeServer({ REDIS_URL: redisUrl, DATA_DIR: aNodeFolder(secrets) })
  onTestFinished(() => lasting.stop())
  const mortal = await startServerProcess({ REDIS_URL: redisUrl, DATA_DIR: aNodeFolder(secrets) })
  return { lasting, mortal }
}

/** Two servers that share a Redis and secrets, and stop when the test is over. */
export async function startTwoNodes(redisUrl: string, environment: Readonly<Record<string, string>> = {}) {
  const secrets = join(aFolder(), 'secrets')
  const start = async () => {
    const node = await startWholeServer({ REDIS_URL: redisUrl, DATA_DIR: aNodeFolder(secrets), ...environment })
    onTestFinished(() => node.stop())
    return node
  }
  return [await start(), await start()] as const
}

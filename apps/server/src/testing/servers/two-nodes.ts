import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createTestFolder } from '../test-folder.ts'
import { startServerProcess } from './server-process.ts'
import { startWholeServer } from './whole-server.ts'

/** Creates a data folder with a link to the secrets that all nodes share. */
function createNodeFolder(secrets: string): string {
  const folder = createTestFolder()
  mkdirSync(secrets, { recursive: true, mode: 0o700 })
  symlinkSync(secrets, join(folder, 'secrets'))
  return folder
}

/** Starts one server in this process and one in a child process, which can be killed. They share Redis and secrets. */
export async function startKillableNodes(redisUrl: string) {
  const secrets = join(createTestFolder(), 'secrets')
  const inProcess = await startWholeServer({ REDIS_URL: redisUrl, DATA_DIR: createNodeFolder(secrets) })
  onTestFinished(() => inProcess.stop())
  const killable = await startServerProcess({ REDIS_URL: redisUrl, DATA_DIR: createNodeFolder(secrets) })
  return { inProcess, killable }
}

/** Starts two servers that share Redis and secrets and stop when the test has finished. */
export async function startTwoNodes(redisUrl: string, environment: Readonly<Record<string, string>> = {}) {
  const secrets = join(createTestFolder(), 'secrets')
  const start = async () => {
    const node = await startWholeServer({ REDIS_URL: redisUrl, DATA_DIR: createNodeFolder(secrets), ...environment })
    onTestFinished(() => node.stop())
    return node
  }
  return [await start(), await start()] as const
}

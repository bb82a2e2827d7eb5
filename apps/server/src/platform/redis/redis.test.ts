import { expect, onTestFinished, test } from 'vitest'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { waitUntil } from '../../testing/servers/file-server.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'
import { openRedis } from './redis.ts'

const server = useRedis()

async function open() {
  const logged: string[] = []
  const log = (message: unknown): void => void logged.push(String(message))
  const redis = await openRedis({ url: server.url, log: { info: log, warn: log }, pingEveryMs: 50 })
  onTestFinished(redis.close)
  return { ...redis, logged }
}

test('startup fails when Redis cannot be used, and the error does not contain the password', async () => {
  const start = (REDIS_URL: string) => startWholeServer({ REDIS_URL })

  await expect(start('redis://ann:a-password@127.0.0.1:1')).rejects.toThrow(
    /^Redis \(REDIS_URL\) cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  )
  await expect(start(`${server.url}.elsewhere`)).rejects.toThrow('ENOENT')
  await expect(start('http://127.0.0.1')).rejects.toThrow('must start with redis://')
})

test('keys have the prefix, also those of scripts', async () => {
  const { run } = await open()

  await run((commands) => commands.set('key', 'ours'))
  await run((commands) => commands.eval("return redis.call('set', KEYS[1], ARGV[1])", 1, 'another', 'ours'))

  expect((await server.query((commands) => commands.keys('*'))).toSorted()).toEqual([
    'sallyport:another',
    'sallyport:key',
  ])
})

test('F16 while Redis is down commands fail; after the restart they succeed without any action', async () => {
  const { run, probe, logged } = await open()
  const increment = () => run((commands) => commands.incr('count'))
  await increment()

  await server.kill()
  await expect(increment()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(probe()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await server.start()

  await waitUntil(() => probe().then(...toBoolean))
  expect(await increment()).toBe(1)
  expect(logged).toEqual(['Redis is unavailable', 'Redis is available again'])
})

test('F16 a Redis that keeps its connections open and does not answer counts as down', async () => {
  const { run, probe, subscribe, isDisconnected, publish } = await open()
  const increment = () => run((commands) => commands.incr('count'))
  const received: string[] = []
  await subscribe('channel', (content) => void received.push(String(content)))

  server.suspend()
  await expect(increment()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await waitUntil(isDisconnected)
  server.resume()

  await waitUntil(() => probe().then(...toBoolean))
  await publish('channel', 'heard')
  await waitUntil(() => received.length > 0)
})

test('an answer that arrived while the process was suspended is not an outage', async () => {
  const { run } = await open()

  const answer = run((commands) => commands.incr('count'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)

  expect(await answer).toBe(1)
})

test('subscribers receive messages again after Redis was killed, and are notified of the gap', async () => {
  const { subscribe, isDisconnected, onResubscribed, publish } = await open()
  const received: string[] = []
  const stop = await subscribe('one', (content) => void received.push(String(content)))
  await subscribe('other', (content) => void received.push(`other ${content}`))
  onResubscribed(() => void received.push('again'))

  await publish('one', 'before')
  await waitUntil(() => received.includes('before'))
  await server.kill()
  await waitUntil(isDisconnected)
  await server.start()
  await waitUntil(() => received.includes('again'))
  await waitUntil(() => publish('one', 'after').then(...toBoolean))
  await waitUntil(() => received.includes('after'))
  stop()
  await publish('other', 'last')
  await waitUntil(() => received.includes('other last'))
  await publish('one', 'unheard')

  expect(received).toEqual(['before', 'again', 'after', 'other last'])
  expect(isDisconnected()).toBe(false)
})

test('F16 without Redis a server is not ready but serves requests; it is ready again after the restart and can be stopped', async () => {
  const whole = await startWholeServer({ REDIS_URL: server.url })
  const statusOf = async (path: string) => (await fetch(whole.url + path)).status
  expect(await statusOf('/readyz')).toBe(200)

  await server.kill()
  expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200])
  await server.start()

  await waitUntil(async () => (await statusOf('/readyz')) === 200)
  await server.kill()
  await whole.stop()
})

const toBoolean = [() => true, () => false] as const

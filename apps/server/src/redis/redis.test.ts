import { expect, onTestFinished, test } from 'vitest'
import { useRedis } from '../testing/redis-server.ts'
import { startStopwatch } from '../testing/stopwatch.ts'
import { until } from '../testing/storing-server.ts'
import { startWholeServer } from '../testing/whole-server.ts'
import { openRedis } from './redis.ts'

const server = useRedis()

async function open() {
  const said: string[] = []
  const say = (words: unknown): void => void said.push(String(words))
  const redis = await openRedis({ url: server.url, log: { info: say, warn: say }, beatMs: 50 })
  onTestFinished(redis.close)
  return { ...redis, said }
}

test('a server that is given a Redis it cannot use does not start, and says what is wrong without its password', async () => {
  const start = (REDIS_URL: string) => startWholeServer({ REDIS_URL })

  await expect(start('redis://ann:a-password@127.0.0.1:1')).rejects.toThrow(
    /^Redis \(REDIS_URL\) cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  )
  await expect(start(`${server.url}.elsewhere`)).rejects.toThrow('ENOENT')
  await expect(start('http://127.0.0.1')).rejects.toThrow('must start with redis://')
})

test('keys stay apart from those of others', async () => {
  const { ask } = await open()

  await ask((commands) => commands.set('key', 'ours'))
  await ask((commands) => commands.eval("return redis.call('set', KEYS[1], ARGV[1])", 1, 'another', 'ours'))

  expect((await server.ask((commands) => commands.keys('*'))).toSorted()).toEqual([
    'sallyport:another',
    'sallyport:key',
  ])
})

test('F16 while Redis is away every question is refused at once, and answered by itself afterwards', async () => {
  const { ask, probe, said } = await open()
  const question = () => ask((commands) => commands.incr('count'))
  await question()

  await server.kill()
  const elapsed = await startStopwatch()
  await expect(question()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(probe()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(elapsed()).toBeLessThan(2000)
  await server.start()

  await until(() => probe().then(...yesOrNo))
  expect(await question()).toBe(1)
  expect(said).toEqual(['Redis is away', 'Redis is back'])
})

test('F16 a Redis that keeps its connections and says nothing more is away too', async () => {
  const { ask, probe, follow, isDeaf, say } = await open()
  const question = () => ask((commands) => commands.incr('count'))
  const heard: string[] = []
  await follow('channel', (content) => void heard.push(String(content)))

  server.hold()
  const elapsed = await startStopwatch()
  await expect(question()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(elapsed()).toBeLessThan(4000)
  await until(isDeaf)
  server.release()

  await until(() => probe().then(...yesOrNo))
  await say('channel', 'heard')
  await until(() => heard.length > 0)
})

test('an answer that came while the process itself stood still is no outage', async () => {
  const { ask } = await open()

  const answer = ask((commands) => commands.incr('count'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)

  expect(await answer).toBe(1)
})

test('whoever follows a channel hears it again after Redis was killed, and is told that something was missed', async () => {
  const { follow, isDeaf, onHearingAgain, say } = await open()
  const heard: string[] = []
  const stop = await follow('one', (content) => void heard.push(String(content)))
  await follow('other', (content) => void heard.push(`other ${content}`))
  onHearingAgain(() => void heard.push('again'))

  await say('one', 'before')
  await server.kill()
  await until(isDeaf)
  await server.start()
  await until(() => heard.includes('again'))
  await until(() => say('one', 'after').then(...yesOrNo))
  await until(() => heard.includes('after'))
  stop()
  await say('other', 'last')
  await until(() => heard.includes('other last'))
  await say('one', 'unheard')

  expect(heard).toEqual(['before', 'again', 'after', 'other last'])
  expect(isDeaf()).toBe(false)
})

test('F16 a server whose Redis is away is not ready, serves nevertheless, is ready again by itself, and can be stopped', async () => {
  const whole = await startWholeServer({ REDIS_URL: server.url })
  const statusOf = async (path: string) => (await fetch(whole.url + path)).status
  expect(await statusOf('/readyz')).toBe(200)

  await server.kill()
  expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200])
  await server.start()

  await until(async () => (await statusOf('/readyz')) === 200)
  await server.kill()
  await whole.stop()
})

const yesOrNo = [() => true, () => false] as const

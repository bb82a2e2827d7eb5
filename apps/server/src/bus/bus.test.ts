import { expect } from 'vitest'
import { useBothBuses } from '../testing/buses.ts'
import { until } from '../testing/storing-server.ts'
import type { Bus } from './bus.ts'

const { server, onBothBuses, onRedis } = useBothBuses()

function listen(bus: Bus, topic = 'topic') {
  const heard: unknown[] = []
  const stop = bus.subscribe(topic, (message) => void heard.push(message))
  return { heard, stop }
}

onBothBuses('every listener of a topic hears each message once and in order, at whichever node', async ({ aNode }) => {
  const [here, there] = [(await aNode()).bus, (await aNode()).bus]
  const ears = [listen(here), listen(here), listen(there)]
  const numbers = Array.from({ length: 200 }, (_, number) => number)

  for (const number of numbers) here.publish('topic', { number })
  here.publish('other', 'for nobody')
  here.publish('topic', 'last')
  await until(() => ears.every(({ heard }) => heard.includes('last')))

  for (const { heard } of ears) expect(heard).toEqual([...numbers.map((number) => ({ number })), 'last'])
})

onBothBuses('a message is handed on as it is, and nobody hears it who listens no longer', async ({ aNode }) => {
  const [here, there] = [(await aNode()).bus, (await aNode()).bus]
  const message = { text: 'ä\n"quoted"\n', none: null, list: [1, { two: 2 }], name: 'live:\nbus.gap' }
  const { heard, stop } = listen(there)
  const last = listen(there, 'last')

  here.publish('topic', message)
  await until(() => heard.length > 0)
  stop()
  here.publish('topic', 'unheard')
  here.publish('last', 'a word alone')
  await until(() => last.heard.length > 0)

  expect(heard).toEqual([message])
  expect(last.heard).toEqual(['a word alone'])
})

onRedis('what no node has said is not heard, and harms nobody', async ({ aNode }) => {
  const [here, there] = [(await aNode()).bus, (await aNode()).bus]
  const { heard } = listen(there)

  for (const text of ['', 'topic', 'node\ntopic', 'node\ntopic\n{"broken', 'node\ntopic\n']) {
    await server.ask((commands) => commands.publish('sallyport:bus', text))
  }
  here.publish('topic', 'heard')
  await until(() => heard.length > 0)

  expect(heard).toEqual(['heard'])
})

onRedis(
  'F16 while Redis is away a node goes on hearing itself, and all are told that something was missed',
  async (stage) => {
    const [here, there] = [(await stage.aNode()).bus, (await stage.aNode()).bus]
    const gaps = { here: 0, there: 0 }
    here.onGap(() => void gaps.here++)
    there.onGap(() => void gaps.there++)
    const ears = { here: listen(here), there: listen(there) }

    await server.kill()
    await until(() => !here.isWhole() && !there.isWhole())
    here.publish('topic', 'missed')
    await until(() => ears.here.heard.length === 1)
    await server.start()
    await until(() => gaps.here > 0 && gaps.there > 0)
    await until(() => here.isWhole() && there.isWhole())
    here.publish('topic', 'heard')
    await until(() => ears.there.heard.length > 0)

    expect(ears.here.heard).toEqual(['missed', 'heard'])
    expect(ears.there.heard).toEqual(['heard'])
  },
)

onRedis(
  'F16 what one node could not say, the others learn to have missed, although they heard Redis all the time',
  async (stage) => {
    const [here, there] = [(await stage.aNode()).bus, (await stage.aNode()).bus]
    let gaps = 0
    there.onGap(() => void gaps++)
    const { heard } = listen(there)
    const refuse = (answer: 'yes' | 'no') =>
      server.ask((commands) => commands.call('acl', 'setuser', 'default', answer === 'yes' ? '-publish' : '+publish'))

    await refuse('yes')
    here.publish('topic', 'missed')
    await until(async () => ((await server.ask((commands) => commands.call('acl', 'log'))) as unknown[]).length > 0)
    await refuse('no')

    await until(() => gaps > 0)
    expect(heard).toEqual([])
  },
)

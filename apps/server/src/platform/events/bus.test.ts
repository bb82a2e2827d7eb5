import { expect } from 'vitest'
import { useBothBuses } from '../../testing/engines/buses.ts'
import { waitUntil } from '../../testing/servers/file-server.ts'
import type { Bus } from './bus.ts'

const { server, onBothBuses, onRedis } = useBothBuses()

function collect(bus: Bus, topic = 'topic') {
  const received: unknown[] = []
  const stop = bus.subscribe(topic, (message) => void received.push(message))
  return { received, stop }
}

onBothBuses(
  'every subscriber of a topic receives each message once and in order, at any node',
  async ({ openNode }) => {
    const [here, there] = [(await openNode()).bus, (await openNode()).bus]
    const subscribers = [collect(here), collect(here), collect(there)]
    const numbers = Array.from({ length: 200 }, (_, number) => number)

    for (const number of numbers) here.publish('topic', { number })
    here.publish('other', 'without subscriber')
    here.publish('topic', 'last')
    await waitUntil(() => subscribers.every(({ received }) => received.includes('last')))

    for (const { received } of subscribers) expect(received).toEqual([...numbers.map((number) => ({ number })), 'last'])
  },
)

onBothBuses('messages arrive unchanged, and not after the unsubscribe', async ({ openNode }) => {
  const [here, there] = [(await openNode()).bus, (await openNode()).bus]
  const message = { text: 'ä\n"quoted"\n', none: null, list: [1, { two: 2 }], name: 'live:\nbus.gap' }
  const { received, stop } = collect(there)
  const last = collect(there, 'last')

  here.publish('topic', message)
  await waitUntil(() => received.length > 0)
  stop()
  here.publish('topic', 'unheard')
  here.publish('last', 'plain text')
  await waitUntil(() => last.received.length > 0)

  expect(received).toEqual([message])
  expect(last.received).toEqual(['plain text'])
})

onRedis('messages that no node has sent are ignored', async ({ openNode }) => {
  const [here, there] = [(await openNode()).bus, (await openNode()).bus]
  const { received } = collect(there)

  for (const text of ['', 'topic', 'node\ntopic', 'node\ntopic\n{"broken', 'node\ntopic\n']) {
    await server.query((commands) => commands.publish('sallyport:bus', text))
  }
  here.publish('topic', 'heard')
  await waitUntil(() => received.length > 0)

  expect(received).toEqual(['heard'])
})

onRedis(
  'F16 while Redis is down a node receives its own messages, and all nodes are notified of the gap',
  async (stage) => {
    const [here, there] = [(await stage.openNode()).bus, (await stage.openNode()).bus]
    const gaps = { here: 0, there: 0 }
    here.onGap(() => void gaps.here++)
    there.onGap(() => void gaps.there++)
    const subscribers = { here: collect(here), there: collect(there) }

    await server.kill()
    await waitUntil(() => !here.isInSync() && !there.isInSync())
    here.publish('topic', 'missed')
    await waitUntil(() => subscribers.here.received.length === 1)
    await server.start()
    await waitUntil(() => gaps.here > 0 && gaps.there > 0)
    await waitUntil(() => here.isInSync() && there.isInSync())
    here.publish('topic', 'heard')
    await waitUntil(() => subscribers.there.received.length > 0)

    expect(subscribers.here.received).toEqual(['missed', 'heard'])
    expect(subscribers.there.received).toEqual(['heard'])
  },
)

onRedis(
  'F16 when one node cannot publish, the other nodes are notified of the gap although they stay connected',
  async (stage) => {
    const [here, there] = [(await stage.openNode()).bus, (await stage.openNode()).bus]
    let gaps = 0
    there.onGap(() => void gaps++)
    const { received } = collect(there)
    const setPublish = (answer: 'yes' | 'no') =>
      server.query((commands) => commands.call('acl', 'setuser', 'default', answer === 'yes' ? '-publish' : '+publish'))

    await setPublish('yes')
    here.publish('topic', 'missed')
    await waitUntil(
      async () => ((await server.query((commands) => commands.call('acl', 'log'))) as unknown[]).length > 0,
    )
    await setPublish('no')

    await waitUntil(() => gaps > 0)
    expect(received).toEqual([])
  },
)

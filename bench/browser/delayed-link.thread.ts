import { parentPort, workerData } from 'node:worker_threads'
import { createUdpRelays } from '../../e2e/support/network/udp-relays.ts'
import { createDelayedForwarder } from './packet-delay.ts'

/** For each port it receives, posts the port of a proxy that forwards packets to it with a delay. */
const proxies = createUdpRelays(createDelayedForwarder(Number(workerData)))
parentPort?.on('message', async (port: number) => parentPort?.postMessage(await proxies.relayPortFor(port)))

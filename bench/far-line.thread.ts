import { parentPort, workerData } from 'node:worker_threads'
import { openWaysAround } from '../e2e/support/ways-around.ts'
import { carryLate } from './late-packets.ts'

/** Answers with the port at which packets for the device behind the port that was said are taken, and passes them late. */
const ways = openWaysAround(carryLate(Number(workerData)))
parentPort?.on('message', async (port: number) => parentPort?.postMessage(await ways.portOnTheWay(port)))

import { Worker } from 'node:worker_threads'

/** Delay of a tick that counts as a stall: an idle thread did not get a processor. */
const lateMs = 40
const tickMs = 5

const watch = `
const { workerData } = require('node:worker_threads')
const stalled = new Float64Array(workerData)
let last = performance.now()
setInterval(() => {
  const now = performance.now()
  const late = now - last - ${tickMs}
  if (late > ${lateMs}) stalled[0] += late
  last = now
}, ${tickMs})
`

let stalls: Promise<Float64Array> | undefined

/** Counts the milliseconds in which the machine stalled, in a separate thread, so that load in the server does not count. */
function watchStalls(): Promise<Float64Array> {
  stalls ??= new Promise((resolve, reject) => {
    const shared = new SharedArrayBuffer(8)
    const worker = new Worker(watch, { eval: true, workerData: shared })
    worker.once('online', () => resolve(new Float64Array(shared)))
    worker.once('error', reject)
    worker.unref()
  })
  return stalls
}

/** Starts a stopwatch. Returns a function for the elapsed milliseconds without stalls of the machine. */
export async function startStopwatch(): Promise<() => number> {
  const [stalled] = [await watchStalls()]
  const [begun, stalledBefore] = [performance.now(), stalled[0] ?? 0]
  return () => performance.now() - begun - ((stalled[0] ?? 0) - stalledBefore)
}

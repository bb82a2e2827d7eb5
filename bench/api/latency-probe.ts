import { buffer } from 'node:stream/consumers'

/** The request, its authorization and the number of repetitions. */
export interface LatencyProbeInput {
  readonly url: string
  readonly authorization: string
  readonly questions: number
}

const warmUpCount = 20

/** Runs in a separate process, so that only the server delays its requests; prints the milliseconds of each. */
const { url, authorization, questions } = JSON.parse(`${await buffer(process.stdin)}`) as LatencyProbeInput
const times: number[] = []
for (let index = -warmUpCount; index < questions; index += 1) {
  const startedAt = performance.now()
  const response = await fetch(url, { headers: { authorization } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  if (index >= 0) times.push(performance.now() - startedAt)
}
console.log(JSON.stringify(times))

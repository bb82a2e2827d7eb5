import { buffer } from 'node:stream/consumers'

/** What is asked, how often, and under which authorization. */
export interface Asked {
  readonly url: string
  readonly authorization: string
  readonly questions: number
}

const warmingUp = 20

/** A process of its own, so that nothing but the server holds up its questions; prints the milliseconds of each. */
const { url, authorization, questions } = JSON.parse(`${await buffer(process.stdin)}`) as Asked
const times: number[] = []
for (let asked = -warmingUp; asked < questions; asked += 1) {
  const startedAt = performance.now()
  const response = await fetch(url, { headers: { authorization } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  if (asked >= 0) times.push(performance.now() - startedAt)
}
console.log(JSON.stringify(times))

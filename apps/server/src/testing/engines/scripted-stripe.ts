import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An object that is the answer, or a function that answers or does not. */
type Answer = object | ((response: ServerResponse) => void)

interface ReceivedRequest {
  /** Method and path, such as `POST /v1/subscriptions/sub_1`. */
  readonly call: string
  readonly query: Readonly<Record<string, string>>
  readonly form: Readonly<Record<string, string>>
  readonly idempotencyKey: string | undefined
}

const statuses = new WeakMap<object, number>()

/** An error as Stripe answers it. */
export function stripeFailure(status: number, error: object): object {
  const body = { error }
  statuses.set(body, status)
  return body
}

/**
 * Starts a server that gives scripted answers to the requests of the SDK: for each call the next one, and the last one
 * again. It knows nothing of payments, so that a test decides what Stripe says.
 */
export async function startScriptedStripe(script: Readonly<Record<string, readonly Answer[]>>) {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
      const call = `${request.method} ${pathname}`
      const body = Buffer.concat(chunks).toString('utf8')
      const sent = requests.filter((earlier) => earlier.call === call).length
      const idempotencyKey = request.headers['idempotency-key']?.toString()
      requests.push({
        call,
        query: Object.fromEntries(searchParams),
        form: Object.fromEntries(new URLSearchParams(body)),
        idempotencyKey,
      })
      const answers = script[call] ?? script['*'] ?? [stripeFailure(404, { code: 'not_scripted', message: call })]
      reply(response, answers[Math.min(sent, answers.length - 1)] ?? {})
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

function reply(response: ServerResponse, answer: Answer): void {
  if (typeof answer === 'function') answer(response)
  else
    response
      .writeHead(statuses.get(answer) ?? 200, { 'content-type': 'application/json', 'request-id': 'req_1' })
      .end(JSON.stringify(answer))
}

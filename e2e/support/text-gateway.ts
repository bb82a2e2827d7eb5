import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface TextMessage {
  readonly to: string
  readonly text: string
}

export interface TextGateway {
  readonly url: string
  /** The code out of the next message to a number, however long it takes to come; each is given once. */
  codeTo(phone: string): Promise<string>
  stop(): Promise<void>
}

const lookEveryMs = 50
const patienceMs = 20_000

/** A gateway for text messages on a free port that keeps what it is sent. */
export async function startTextGateway(): Promise<TextGateway> {
  const waiting: TextMessage[] = []
  const server = createServer((request, response) => {
    json(request).then(
      (message) => {
        waiting.push(message as TextMessage)
        response.writeHead(204).end()
      },
      () => response.writeHead(400).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`,
    async codeTo(phone) {
      const until = Date.now() + patienceMs
      for (;;) {
        const place = waiting.findIndex(({ to }) => to === phone)
        if (place >= 0) return codeIn(waiting.splice(place, 1)[0])
        if (Date.now() > until) throw new Error(`No message has come for ${phone}`)
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function codeIn(message: TextMessage | undefined): string {
  const [code] = /\b\d{6}\b/.exec(message?.text ?? '') ?? []
  if (code === undefined) throw new Error(`The message carries no code: ${message?.text}`)
  return code
}

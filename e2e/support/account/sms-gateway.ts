import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface TextMessage {
  readonly to: string
  readonly text: string
}

export interface SmsGateway {
  readonly url: string
  /** Waits for the code in the next message to a number; each is returned once. */
  nextCodeFor(phone: string): Promise<string>
  stop(): Promise<void>
}

const pollIntervalMs = 50
const timeoutMs = 20_000

/** Starts an SMS gateway on a free port that stores the messages it receives. */
export async function startSmsGateway(): Promise<SmsGateway> {
  const messages: TextMessage[] = []
  const server = createServer((request, response) => {
    json(request).then(
      (message) => {
        messages.push(message as TextMessage)
        response.writeHead(204).end()
      },
      () => response.writeHead(400).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`,
    async nextCodeFor(phone) {
      const deadline = Date.now() + timeoutMs
      for (;;) {
        const index = messages.findIndex(({ to }) => to === phone)
        if (index >= 0) return extractCode(messages.splice(index, 1)[0])
        if (Date.now() > deadline) throw new Error(`No message arrived for ${phone}`)
        await new Promise((resolve) => setTimeout(resolve, pollIntervalMs))
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function extractCode(message: TextMessage | undefined): string {
  const [code] = /\b\d{6}\b/.exec(message?.text ?? '') ?? []
  if (code === undefined) throw new Error(`The message contains no code: ${message?.text}`)
  return code
}

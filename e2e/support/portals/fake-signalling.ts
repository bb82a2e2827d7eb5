import type { Page } from '@playwright/test'

type SignalMessage = { readonly type: string } & Readonly<Record<string, unknown>>

/** The replies of the fake signalling server; none by default. */
export interface FakeSignalling {
  reply: (message: SignalMessage) => readonly SignalMessage[] | 'close'
  /** The types of the messages received so far. */
  readonly received: string[]
}

/** Connects a page to a fake signalling server whose replies the test chooses. */
export async function startFakeSignalling(page: Page): Promise<FakeSignalling> {
  const signalling: FakeSignalling = { reply: () => [], received: [] }
  await page.routeWebSocket(/webrtc-signal/, (socket) => {
    socket.onMessage(async (text) => {
      const message = JSON.parse(String(text)) as SignalMessage
      signalling.received.push(message.type)
      const answers = signalling.reply(message)
      if (answers === 'close') await socket.close({ code: 1011 })
      else for (const answer of answers) socket.send(JSON.stringify(answer))
    })
  })
  return signalling
}

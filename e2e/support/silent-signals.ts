import type { Page } from '@playwright/test'

type Message = { readonly type: string } & Readonly<Record<string, unknown>>

/** What the server where devices meet is made to answer; nothing, unless told. */
export interface Signals {
  reply: (message: Message) => readonly Message[] | 'close'
}

/** Has a page talk to a server that answers what a test wants, as one behind a broken line does. */
export async function answerSignals(page: Page): Promise<Signals> {
  const signals: Signals = { reply: () => [] }
  await page.routeWebSocket(/webrtc-signal/, (socket) => {
    socket.onMessage(async (text) => {
      const answers = signals.reply(JSON.parse(String(text)) as Message)
      if (answers === 'close') await socket.close({ code: 1011 })
      else for (const answer of answers) socket.send(JSON.stringify(answer))
    })
  })
  return signals
}

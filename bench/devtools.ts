import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'

const chromium = '/usr/bin/chromium'
const switches = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
]

/** What a browser without a camera needs to tell other pages of this machine the machine's own address. */
const directSwitches = [
  '--allow-loopback-in-peer-connection',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
]

export interface Browser {
  readonly processId: number
  open(url: string): Promise<Page>
  /** Opens it as somebody who was never here: nothing is shared with the other pages. */
  openAsStranger(url: string): Promise<Page>
  /** Lets pages of this origin find a direct way to others; for a browser that was opened for it. */
  allowDirect(origin: string): Promise<void>
  /** From here on downloads go into the folder. */
  saveInto(folder: string): Promise<void>
  /** Settles with the path of the download that ends next. */
  nextDownload(): Promise<string>
  close(): Promise<void>
}

export interface Page {
  /** Runs a function in the page with copies of its arguments, and gives a copy of what it comes to. */
  run<Arguments extends readonly unknown[], Result>(
    work: (...given: Arguments) => Result,
    ...given: Arguments
  ): Promise<Awaited<Result>>
  /** Waits until there is an element like this. */
  appears(selector: string): Promise<void>
  /** Waits until there is none like this. */
  disappears(selector: string): Promise<void>
  /** Types into the field as a person does. */
  type(selector: string, text: string): Promise<void>
  /** Presses the middle of the element with the mouse, as a person does. */
  press(selector: string): Promise<void>
  /** Hands files to a file input as a person's choice does. */
  chooseFiles(selector: string, paths: readonly string[]): Promise<void>
}

type Values = Readonly<Record<string, unknown>>
type Send = (method: string, parameters?: Values, sessionId?: string) => Promise<Values>

/**
 * Starts Chromium with an empty profile and speaks to it directly. The Network domain stays off: with it, as test tools
 * use it, the browser copies every body once more and byte uploads crawl at a twentieth of their speed. Its pages run the
 * script before any of their own.
 */
export async function openBrowser({ isDirect = false, script = '' } = {}): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'sallyport-bench-profile-'))
  const words = [...switches, ...(isDirect ? directSwitches : []), `--user-data-dir=${profile}`, 'about:blank']
  const child = spawn(chromium, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endWithUs = () => child.kill()
  process.once('exit', endWithUs)
  const address = await new Promise<string>((resolve, reject) => {
    let written = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}\n${written}`)))
    child.stderr.on('data', (piece) => {
      written += piece
      const found = /DevTools listening on (ws:\S+)/.exec(written)?.[1]
      if (found) resolve(found)
    })
  })
  const { send, on } = await connect(address)
  let folder = tmpdir()

  async function open(url: string, context: Values = {}): Promise<Page> {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank', ...context })
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
    const sendToPage = (method: string, parameters?: Values) => send(method, parameters, String(sessionId))
    const page = pageOver(sendToPage)
    await sendToPage('Page.enable')
    if (script !== '') await sendToPage('Page.addScriptToEvaluateOnNewDocument', { source: script })
    await page.go(url)
    return page
  }

  return {
    processId: child.pid ?? 0,
    open: (url) => open(url),
    openAsStranger: async (url) => open(url, await send('Target.createBrowserContext')),
    async allowDirect(origin) {
      await send('Browser.grantPermissions', { origin, permissions: ['videoCapture', 'audioCapture'] })
    },
    async saveInto(chosen) {
      folder = chosen
      await send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, eventsEnabled: true })
    },
    nextDownload: () =>
      new Promise((resolve, reject) => {
        const names = new Map<unknown, unknown>()
        const stopNaming = on('Browser.downloadWillBegin', ({ guid, suggestedFilename }) => {
          names.set(guid, suggestedFilename)
        })
        const stop = on('Browser.downloadProgress', ({ guid, state, filePath }) => {
          if (state === 'inProgress') return
          stop()
          stopNaming()
          const path = typeof filePath === 'string' ? filePath : join(folder, String(names.get(guid)))
          state === 'completed' ? resolve(path) : reject(new Error('The download was cancelled'))
        })
      }),
    async close() {
      await send('Browser.close').catch(() => undefined)
      await ended
      process.off('exit', endWithUs)
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

async function connect(address: string) {
  const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: 0 })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const waiting = new Map<number, { resolve: (result: Values) => void; reject: (reason: Error) => void }>()
  const listeners = new Map<string, Set<(values: Values) => void>>()
  let lastId = 0

  socket.on('message', (text) => {
    const { id, result, error, method, params } = JSON.parse(String(text))
    if (method) for (const listen of listeners.get(method) ?? []) listen(params)
    const asked = waiting.get(id)
    waiting.delete(id)
    error ? asked?.reject(new Error(error.message)) : asked?.resolve(result)
  })
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser is gone'))
  })

  const send: Send = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId && { sessionId }) }))
    })

  function on(method: string, listen: (values: Values) => void): () => void {
    const those = listeners.get(method) ?? new Set()
    listeners.set(method, those.add(listen))
    return () => those.delete(listen)
  }

  return { send, on }
}

function pageOver(send: Send) {
  async function evaluate(expression: string, asObject = false): Promise<Values> {
    const { result, exceptionDetails } = (await send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: !asObject,
      userGesture: true,
    })) as { result: Values; exceptionDetails?: { text: string; exception?: { description?: string } } }
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result
  }

  const run: Page['run'] = async (work, ...given) => {
    const { value } = await evaluate(`(${work})(...${JSON.stringify(given)})`)
    return value as never
  }

  const waitFor = (selector: string, wanted: boolean): Promise<void> =>
    run(
      (selector, wanted) =>
        new Promise<void>((resolve) => {
          const observer = new MutationObserver(look)
          observer.observe(document, { childList: true, subtree: true, attributes: true })
          look()
          function look() {
            if ((document.querySelector(selector) !== null) !== wanted) return
            observer.disconnect()
            resolve()
          }
        }),
      selector,
      wanted,
    )

  return {
    run,
    async go(url: string) {
      await send('Page.navigate', { url })
      await run(
        () =>
          new Promise((resolve) =>
            document.readyState === 'complete' ? resolve(0) : addEventListener('load', resolve),
          ),
      )
    },
    appears: (selector: string) => waitFor(selector, true),
    disappears: (selector: string) => waitFor(selector, false),
    async type(selector: string, text: string) {
      await run((selector) => document.querySelector<HTMLElement>(selector)?.focus(), selector)
      await send('Input.insertText', { text })
    },
    async press(selector: string) {
      const place = await run((selector) => {
        const { x, y, width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
        return { x: x + width / 2, y: y + height / 2 }
      }, selector)
      for (const type of ['mousePressed', 'mouseReleased']) {
        await send('Input.dispatchMouseEvent', { ...place, type, button: 'left', clickCount: 1 })
      }
    },
    async chooseFiles(selector: string, files: readonly string[]) {
      const { objectId } = await evaluate(`document.querySelector(${JSON.stringify(selector)})`, true)
      await send('DOM.setFileInputFiles', { files, objectId })
    },
  }
}

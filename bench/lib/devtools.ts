import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDevTools, type DevTools, type ProtocolValues } from '../../tools/devtools-protocol.ts'
import { findChromium } from '../../tools/system-packages.ts'
import { superviseChild } from './child-process.ts'

const chromiumSwitches = [
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

/** Switches that make WebRTC expose host candidates in a browser without a camera. */
const webrtcSwitches = [
  '--allow-loopback-in-peer-connection',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
]

export interface Browser {
  readonly processId: number
  open(url: string): Promise<Page>
  /** Opens the URL in a new browser context, which shares no state with other pages. */
  openInNewContext(url: string): Promise<Page>
  /** Grants pages of this origin the permissions for direct connections; needs `isDirect`. */
  allowDirectConnections(origin: string): Promise<void>
  /** Resolves to the path of the next download that completes, in a folder that is deleted with the browser. */
  nextDownload(): Promise<string>
  close(): Promise<void>
}

export interface Page {
  /** Runs a function in the page with copies of its arguments, and resolves to a copy of its result. */
  run<Arguments extends readonly unknown[], Result>(
    work: (...given: Arguments) => Result,
    ...given: Arguments
  ): Promise<Awaited<Result>>
  /** Waits until an element matches the selector. */
  waitForSelector(selector: string): Promise<void>
  /** Waits until no element matches the selector. */
  waitUntilGone(selector: string): Promise<void>
  /** Inserts text into the field through the browser's input pipeline. */
  type(selector: string, text: string): Promise<void>
  /** Clicks the centre of the element with real mouse events. */
  click(selector: string): Promise<void>
  /** Selects files in a file input. */
  chooseFiles(selector: string, paths: readonly string[]): Promise<void>
}

/**
 * Starts Chromium with an empty profile and connects over the DevTools protocol. The Network domain stays disabled: it
 * makes the browser copy every request body, which slows uploads down to a twentieth. Each page runs `script` before its
 * own scripts.
 */
export async function openBrowser({ isDirect = false, script = '' } = {}): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'sallyport-bench-profile-'))
  const args = [...chromiumSwitches, ...(isDirect ? webrtcSwitches : []), `--user-data-dir=${profile}`, 'about:blank']
  const child = spawn(findChromium(), args, {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const { processId, stop } = superviseChild(child)
  const endpoint = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Chromium exited with ${code}\n${output}`)))
    child.stderr.on('data', (piece) => {
      output += piece
      const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    })
  })
  const { send, on } = await connectDevTools(endpoint)
  const folder = join(profile, 'saved')
  await send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, eventsEnabled: true })

  async function open(url: string, context: ProtocolValues = {}): Promise<Page> {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank', ...context })
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
    const sendToPage = (method: string, parameters?: ProtocolValues) => send(method, parameters, String(sessionId))
    const page = createPage(sendToPage)
    await sendToPage('Page.enable')
    if (script !== '') await sendToPage('Page.addScriptToEvaluateOnNewDocument', { source: script })
    await page.go(url)
    return page
  }

  return {
    processId,
    open: (url) => open(url),
    openInNewContext: async (url) => open(url, await send('Target.createBrowserContext')),
    async allowDirectConnections(origin) {
      await send('Browser.grantPermissions', { origin, permissions: ['videoCapture', 'audioCapture'] })
    },
    nextDownload: () =>
      new Promise((resolve, reject) => {
        const names = new Map<unknown, unknown>()
        const stopRecording = on('Browser.downloadWillBegin', ({ guid, suggestedFilename }) => {
          names.set(guid, suggestedFilename)
        })
        const stop = on('Browser.downloadProgress', ({ guid, state, filePath }) => {
          if (state === 'inProgress') return
          stop()
          stopRecording()
          const path = typeof filePath === 'string' ? filePath : join(folder, String(names.get(guid)))
          state === 'completed' ? resolve(path) : reject(new Error('The download was cancelled'))
        })
      }),
    async close() {
      await stop(() => send('Browser.close').catch(() => undefined))
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** Runs the work with a browser of its own. */
export async function withBrowser<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await openBrowser()
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** Saves a file, whose download `start` begins; resolves to its path and the seconds until it was complete. */
export async function download(browser: Browser, start: () => Promise<unknown>) {
  const saved = browser.nextDownload()
  const startedAt = performance.now()
  await start()
  const path = await saved
  return { path, seconds: (performance.now() - startedAt) / 1000 }
}

function createPage(send: DevTools['send']) {
  async function evaluate(expression: string, asObject = false): Promise<ProtocolValues> {
    const { result, exceptionDetails } = (await send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: !asObject,
      userGesture: true,
    })) as { result: ProtocolValues; exceptionDetails?: { text: string; exception?: { description?: string } } }
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result
  }

  const run: Page['run'] = async (work, ...given) => {
    const { value } = await evaluate(`(${work})(...${JSON.stringify(given)})`)
    return value as never
  }

  const waitFor = (selector: string, isPresent: boolean): Promise<void> =>
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
      isPresent,
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
    waitForSelector: (selector: string) => waitFor(selector, true),
    waitUntilGone: (selector: string) => waitFor(selector, false),
    async type(selector: string, text: string) {
      await run((selector) => document.querySelector<HTMLElement>(selector)?.focus(), selector)
      await send('Input.insertText', { text })
    },
    async click(selector: string) {
      const point = await run((selector) => {
        const { x, y, width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
        return { x: x + width / 2, y: y + height / 2 }
      }, selector)
      for (const type of ['mousePressed', 'mouseReleased']) {
        await send('Input.dispatchMouseEvent', { ...point, type, button: 'left', clickCount: 1 })
      }
    },
    async chooseFiles(selector: string, files: readonly string[]) {
      const { objectId } = await evaluate(`document.querySelector(${JSON.stringify(selector)})`, true)
      await send('DOM.setFileInputFiles', { files, objectId })
    },
  }
}

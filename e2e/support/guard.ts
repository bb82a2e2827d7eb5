import type { BrowserContext, Page } from '@playwright/test'
import { noteToasts } from './toasts.ts'

/** What went wrong behind the back of a journey; it fails when there is anything. */
export type Complaints = string[]

/** Watches every page of a context for violations of its content policy and for errors nobody caught. */
export async function guard(context: BrowserContext, complaints: Complaints): Promise<void> {
  await context.exposeBinding('tellViolation', (_source, text: string) => complaints.push(text))
  await context.addInitScript(() => {
    // No browser without a screen can show these pickers; ours falls back on what every browser has.
    Reflect.deleteProperty(window, 'showOpenFilePicker')
    Reflect.deleteProperty(window, 'showDirectoryPicker')
    document.addEventListener('securitypolicyviolation', (event) => {
      const tell = Reflect.get(window, 'tellViolation') as (text: string) => void
      tell(`${event.effectiveDirective} blocked ${event.blockedURI} ${event.sample} at ${event.sourceFile}`)
    })
  })
  await noteToasts(context)
  for (const page of context.pages()) watch(page, complaints)
  context.on('page', (page) => watch(page, complaints))
}

function watch(page: Page, complaints: Complaints): void {
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('crash', () => complaints.push('the page crashed'))
  page.on('console', (message) => {
    // Workers have no event of their own for this; the console tells of them.
    if (/content security policy|trusted(script| type)/i.test(message.text())) complaints.push(message.text())
  })
}

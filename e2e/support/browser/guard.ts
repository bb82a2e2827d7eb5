import type { BrowserContext, Page } from '@playwright/test'
import { recordToasts } from './toasts.ts'

/** Policy violations and uncaught errors of a journey; the journey fails if there are any. */
export type PageErrors = string[]

/** Watches every page of a context for content security policy violations and uncaught errors. */
export async function watchForErrors(context: BrowserContext, pageErrors: PageErrors): Promise<void> {
  await context.exposeBinding('tellViolation', (_source, text: string) => pageErrors.push(text))
  await context.addInitScript(() => {
    // A headless browser cannot show these pickers; the page falls back to file inputs.
    Reflect.deleteProperty(window, 'showOpenFilePicker')
    Reflect.deleteProperty(window, 'showDirectoryPicker')
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = Reflect.get(window, 'tellViolation') as (text: string) => void
      report(`${event.effectiveDirective} blocked ${event.blockedURI} ${event.sample} at ${event.sourceFile}`)
    })
  })
  await recordToasts(context)
  for (const page of context.pages()) watchPage(page, pageErrors)
  context.on('page', (page) => watchPage(page, pageErrors))
}

function watchPage(page: Page, pageErrors: PageErrors): void {
  page.on('pageerror', (error) => pageErrors.push(`uncaught: ${error.message}`))
  page.on('crash', () => pageErrors.push('the page crashed'))
  page.on('console', (message) => {
    // Violations in workers fire no event on the page; they appear only in the console.
    if (/content security policy|trusted(script| type)/i.test(message.text())) pageErrors.push(message.text())
  })
}

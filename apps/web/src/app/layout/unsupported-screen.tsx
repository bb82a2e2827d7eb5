import type { ReactNode } from 'react'
import { BrokenGate } from '#/components/brand/gate-illustrations.tsx'
import { Button, buttonClass } from '#/components/ui/button.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { insecureStrings, siteDataStrings } from '#/strings/insecure.ts'
import { productName } from '#/strings/product.ts'

/** Shown where the browser provides no encryption or no storage. Asks for nothing and sends nothing. */
export const UnsupportedScreen = () => (isSecureContext ? <SiteDataBlocked /> : <Insecure />)

const Insecure = () => (
  <Screen title={insecureStrings.title} reason={insecureStrings.reason} hint={insecureStrings.operator}>
    <a href={location.href.replace(/^http:/, 'https:')} className={`${buttonClass('primary')} mt-6`}>
      {insecureStrings.open}
    </a>
  </Screen>
)

const SiteDataBlocked = () => (
  <Screen title={siteDataStrings.title} reason={siteDataStrings.reason} hint={siteDataStrings.hint}>
    <Button variant="primary" className="mt-6" onClick={() => location.reload()}>
      {siteDataStrings.reload}
    </Button>
  </Screen>
)

interface ScreenProps {
  readonly title: string
  readonly reason: string
  readonly hint: string
  readonly children: ReactNode
}

function Screen({ title, reason, hint, children }: ScreenProps) {
  useTitle(`${title} · ${productName}`)
  return (
    <main id="main" className="mx-auto grid max-w-reading justify-items-center px-5 py-16 text-center">
      <BrokenGate />
      <h1 className="mt-6 heading-large text-3xl">{title}</h1>
      <p className="mt-2 text-base text-ink-2">{reason}</p>
      {children}
      <p className="mt-6 text-sm text-ink-2">{hint}</p>
    </main>
  )
}

import { BrokenGate } from '#/components/brand/gate-illustrations.tsx'
import { buttonClass } from '#/components/ui/button.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { insecureStrings } from '#/strings/insecure.ts'
import { productName } from '#/strings/product.ts'

/** Shown when the browser provides no WebCrypto (insecure context). Asks for nothing and sends nothing. */
export function InsecureScreen() {
  useTitle(`${insecureStrings.title} · ${productName}`)
  return (
    <main id="main" className="mx-auto grid max-w-reading justify-items-center px-5 py-16 text-center">
      <BrokenGate />
      <h1 className="mt-6 heading-large text-3xl">{insecureStrings.title}</h1>
      <p className="mt-2 text-base text-ink-2">{insecureStrings.reason}</p>
      <a href={location.href.replace(/^http:/, 'https:')} className={`${buttonClass('primary')} mt-6`}>
        {insecureStrings.open}
      </a>
      <p className="mt-6 text-sm text-ink-2">{insecureStrings.operator}</p>
    </main>
  )
}

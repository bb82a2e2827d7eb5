import { BrokenGate } from '#/motifs/gate-pictures.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { insecureWords } from '#/words/insecure.ts'
import { productName } from '#/words/product.ts'

/** All there is where the browser gives the page no cryptography: nothing is asked for and nothing is sent. */
export function InsecureScreen() {
  useTitle(`${insecureWords.title} · ${productName}`)
  return (
    <main id="main" className="mx-auto grid max-w-reading justify-items-center px-5 py-16 text-center">
      <BrokenGate />
      <h1 className="mt-6 heading-large text-3xl">{insecureWords.title}</h1>
      <p className="mt-2 text-base text-ink-2">{insecureWords.reason}</p>
      <a href={location.href.replace(/^http:/, 'https:')} className={`${buttonClass('primary')} mt-6`}>
        {insecureWords.open}
      </a>
      <p className="mt-6 text-sm text-ink-2">{insecureWords.operator}</p>
    </main>
  )
}

import type { ReactNode } from 'react'
import { LedgerTable } from '#/motifs/ledger-table.tsx'
import { themeChoices } from '#/theme/theme-choices.ts'
import { useTheme } from '#/theme/use-theme.ts'
import { Card, CardHeading } from '#/ui/card.tsx'
import { classNames } from '#/ui/class-names.ts'
import { segmentClass, segmentedClass } from '#/ui/tabs.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { ledgerDetails, ledgerIntro, ledgerLimit, serverSeesTitle } from '#/words/ledger.ts'
import { productName } from '#/words/product.ts'
import { settingsWords } from '#/words/settings.ts'
import { ExpirationSetting } from './expiration-setting.tsx'

interface SettingsPageProps {
  /** The cards of other features. */
  readonly children?: ReactNode
}

export function SettingsPage({ children }: SettingsPageProps) {
  useTitle(`${settingsWords.title} · ${productName}`)
  return (
    <div className="mx-auto grid max-w-reading gap-5 px-4 py-7 md:px-7">
      <h1 className="heading-large text-3xl max-md:text-2xl">{settingsWords.title}</h1>
      <Card aria-labelledby="expiration-heading">
        <CardHeading id="expiration-heading" title={settingsWords.filesHeading} />
        <ExpirationSetting />
      </Card>
      {children}
      <Card aria-labelledby="appearance-heading">
        <CardHeading id="appearance-heading" title={settingsWords.appearance} />
        <ThemeSetting />
      </Card>
      <Card aria-labelledby="ledger-heading">
        <CardHeading id="ledger-heading" title={serverSeesTitle} />
        <p className="mt-1 mb-4 text-sm text-ink-2">{ledgerIntro}</p>
        <LedgerTable rows={ledgerDetails} />
        <p className="mt-4 border-t border-line pt-3 text-sm text-ink-3">{ledgerLimit}</p>
      </Card>
    </div>
  )
}

function ThemeSetting() {
  const [theme, setTheme] = useTheme()
  return (
    <fieldset className="mt-4 grid gap-2">
      <legend className="mb-1.5 text-xs font-semibold">{settingsWords.theme}</legend>
      <div className={classNames(segmentedClass, 'max-w-form')}>
        {themeChoices.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={theme === value}
            data-active={theme === value || undefined}
            className={segmentClass}
            onClick={() => setTheme(value)}
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

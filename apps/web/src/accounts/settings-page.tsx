import { type ReactNode, useMemo } from 'react'
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
import { SectionList, type SettingsSection } from './section-list.tsx'

interface SettingsPageProps {
  /** The cards of other features, and what the list of sections calls them, in the same order. */
  readonly children: ReactNode
  readonly sections: readonly SettingsSection[]
}

/** Cards under each other; where there is room, a list beside them leads to each. */
export function SettingsPage({ children, sections }: SettingsPageProps) {
  const all = useMemo(
    () => [
      { id: 'expiration-heading', title: settingsWords.filesHeading },
      ...sections,
      { id: 'appearance-heading', title: settingsWords.appearance },
      { id: 'ledger-heading', title: serverSeesTitle },
    ],
    [sections],
  )
  useTitle(`${settingsWords.title} · ${productName}`)
  return (
    <div className="mx-auto grid max-w-reading grid-cols-1 gap-x-9 gap-y-5 px-4 py-7 md:px-7 rail:max-w-[70rem] rail:grid-cols-[13rem_minmax(0,1fr)]">
      <h1 className="heading-large text-3xl max-md:text-2xl rail:col-span-2">{settingsWords.title}</h1>
      <SectionList sections={all} />
      <div className="grid min-w-0 grid-cols-1 gap-5">
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

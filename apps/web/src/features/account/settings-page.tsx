import { type ReactNode, useMemo } from 'react'
import { PrivacySummaryTable } from '#/components/brand/privacy-summary-table.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { segmentClass, segmentedClass } from '#/components/ui/tabs.tsx'
import { themeChoices } from '#/lib/theme/theme-choices.ts'
import { useTheme } from '#/lib/theme/use-theme.ts'
import { landingStrings } from '#/strings/account/landing.ts'
import { privacySummaryDetails, privacySummaryStrings } from '#/strings/account/privacy-summary.ts'
import { settingsStrings } from '#/strings/account/settings.ts'
import { productName } from '#/strings/product.ts'
import { ExpirationSetting } from './expiration-setting.tsx'
import { SectionList, type SettingsSection } from './landing/section-list.tsx'
import { LegalLinks } from './legal-links.tsx'

interface SettingsPageProps {
  /** Cards of other features; `sections` names them for the navigation in the same order. */
  readonly children: ReactNode
  readonly sections: readonly SettingsSection[]
}

/** A column of cards; on wide screens with a list of links to them. */
export function SettingsPage({ children, sections }: SettingsPageProps) {
  const all = useMemo(
    () => [
      { id: 'expiration-heading', title: settingsStrings.filesHeading },
      ...sections,
      { id: 'appearance-heading', title: settingsStrings.appearance },
      { id: 'ledger-heading', title: landingStrings.serverSees },
    ],
    [sections],
  )
  useTitle(`${settingsStrings.title} · ${productName}`)
  return (
    <div className="mx-auto grid max-w-reading grid-cols-1 gap-x-9 gap-y-5 px-4 py-7 md:px-7 rail:max-w-[70rem] rail:grid-cols-[13rem_minmax(0,1fr)]">
      <h1 className="heading-large text-3xl max-md:text-2xl rail:col-span-2">{settingsStrings.title}</h1>
      <SectionList sections={all} />
      <div className="grid min-w-0 grid-cols-1 gap-5">
        <Card aria-labelledby="expiration-heading">
          <CardHeading id="expiration-heading" title={settingsStrings.filesHeading} />
          <ExpirationSetting />
        </Card>
        {children}
        <Card aria-labelledby="appearance-heading">
          <CardHeading id="appearance-heading" title={settingsStrings.appearance} />
          <ThemeSetting />
        </Card>
        <Card aria-labelledby="ledger-heading">
          <CardHeading id="ledger-heading" title={landingStrings.serverSees} />
          <p className="mt-1 mb-4 text-sm text-ink-2">{privacySummaryStrings.intro}</p>
          <PrivacySummaryTable rows={privacySummaryDetails()} />
          <p className="mt-4 border-t border-line pt-3 text-sm text-ink-3">{privacySummaryStrings.limit}</p>
        </Card>
        <LegalLinks />
      </div>
    </div>
  )
}

function ThemeSetting() {
  const [theme, setTheme] = useTheme()
  return (
    <fieldset className="mt-4 grid gap-2">
      <legend className="mb-1.5 text-xs font-semibold">{settingsStrings.theme}</legend>
      <div className={classNames(segmentedClass, 'max-w-form')}>
        {themeChoices().map(({ value, label }) => (
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

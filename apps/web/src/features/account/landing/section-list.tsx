import { type MouseEvent, useMemo } from 'react'
import { settingsStrings } from '#/strings/account/settings.ts'
import { useSectionInView } from './use-section-in-view.ts'

export interface SettingsSection {
  /** The id of its heading. */
  readonly id: string
  readonly title: string
}

/** Navigation next to the page on wide screens; picking a section scrolls to it and moves the focus to its heading. */
export function SectionList({ sections }: { readonly sections: readonly SettingsSection[] }) {
  const ids = useMemo(() => sections.map(({ id }) => id), [sections])
  const { shown, pick } = useSectionInView(ids)

  function show(event: MouseEvent, id: string) {
    // The URL stays unchanged, so that Back leaves Settings at once.
    event.preventDefault()
    const heading = document.getElementById(id)
    if (!heading) return
    heading.closest('section')?.scrollIntoView()
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    pick(id)
  }

  return (
    <nav aria-label={settingsStrings.sections} className="sticky top-21 -ms-3 self-start max-rail:hidden">
      <ul className="grid gap-0.5">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={shown === id || undefined}
              className="flex min-h-9 items-center rounded-segment px-3 py-1.5 text-sm text-ink-2 transition-colors duration-90 hover:bg-sunken hover:text-ink aria-[current=true]:bg-sunken aria-[current=true]:font-semibold aria-[current=true]:text-ink forced-colors:aria-[current=true]:underline"
              onClick={(event) => show(event, id)}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

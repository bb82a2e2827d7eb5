import { useEffect, useState } from 'react'

/** Distance in pixels from the top of the viewport at which a section counts as being read. */
const readingOffset = 160
const userScrollEvents = ['wheel', 'touchmove', 'keydown'] as const

interface SectionInView {
  readonly shown: string
  /** Marks a picked section, even if the page is too short to scroll it to the top. */
  readonly pick: (id: string) => void
}

/** Returns the section that is being read, given the ids of the headings in page order. */
export function useSectionInView(ids: readonly string[]): SectionInView {
  const [shown, setShown] = useState(ids[0] ?? '')
  const [picked, setPicked] = useState<string | null>(null)

  useEffect(() => {
    const updateShown = () => setShown(sectionAt(ids))
    const clearPicked = () => setPicked(null)
    addEventListener('scroll', updateShown, { passive: true })
    for (const event of userScrollEvents) addEventListener(event, clearPicked, { passive: true })
    return () => {
      removeEventListener('scroll', updateShown)
      for (const move of userScrollEvents) removeEventListener(move, clearPicked)
    }
  }, [ids])

  return { shown: picked ?? shown, pick: setPicked }
}

function sectionAt(ids: readonly string[]): string {
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement
  if (scrollTop + clientHeight >= scrollHeight - 1) return ids.at(-1) ?? ''
  const passed = ids.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? 0) <= readingOffset)
  return passed.at(-1) ?? ids[0] ?? ''
}

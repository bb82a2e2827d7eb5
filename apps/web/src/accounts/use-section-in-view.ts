import { useEffect, useState } from 'react'

/** Pixels from the top of the page down to where somebody is taken to read. */
const readingLine = 160
const ownMoves = ['wheel', 'touchmove', 'keydown'] as const

interface SectionInView {
  readonly shown: string
  /** Marks a section that was asked for, also where the page is too short to bring it to the top. */
  readonly pick: (id: string) => void
}

/** The section that is being read, by the ids of the headings in their order on the page. */
export function useSectionInView(ids: readonly string[]): SectionInView {
  const [shown, setShown] = useState(ids[0] ?? '')
  const [picked, setPicked] = useState<string | null>(null)

  useEffect(() => {
    const look = () => setShown(sectionAt(ids))
    const letGo = () => setPicked(null)
    addEventListener('scroll', look, { passive: true })
    for (const move of ownMoves) addEventListener(move, letGo, { passive: true })
    return () => {
      removeEventListener('scroll', look)
      for (const move of ownMoves) removeEventListener(move, letGo)
    }
  }, [ids])

  return { shown: picked ?? shown, pick: setPicked }
}

function sectionAt(ids: readonly string[]): string {
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement
  if (scrollTop + clientHeight >= scrollHeight - 1) return ids.at(-1) ?? ''
  const passed = ids.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? 0) <= readingLine)
  return passed.at(-1) ?? ids[0] ?? ''
}

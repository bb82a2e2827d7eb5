import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '#/ui/class-names.ts'
import { chatWords } from '#/words/chat.ts'

interface ClampedTextProps {
  readonly text: string
  /** Draws what stands under the text, the button that shows all of it among it. */
  readonly children: (more: ReactNode) => ReactNode
}

/** A text of which two lines are shown until somebody asks for more. */
export function ClampedText({ text, children }: ClampedTextProps) {
  const id = useId()
  const shown = useRef<HTMLParagraphElement>(null)
  const [isCut, setCut] = useState(false)
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    const element = shown.current
    if (!element || isOpen) return
    // Lines also change with the width of the page.
    const observer = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1))
    observer.observe(element)
    return () => observer.disconnect()
  }, [isOpen])

  const more = isCut ? (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={id}
      className="rounded-segment text-ink-2 underline underline-offset-2 hover:text-ink pointer-coarse:min-h-11"
      onClick={() => setOpen(!isOpen)}
    >
      {isOpen ? chatWords.showLess : chatWords.showMore}
    </button>
  ) : null

  return (
    <>
      <p
        ref={shown}
        id={id}
        dir="auto"
        className={classNames('text-base whitespace-pre-wrap wrap-anywhere', !isOpen && 'line-clamp-2')}
      >
        {text}
      </p>
      {children(more)}
    </>
  )
}

import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '#/components/ui/class-names.ts'
import { chatStrings } from '#/strings/chat.ts'
import { LinkedText } from './linked-text.tsx'

interface ClampedTextProps {
  readonly text: string
  /** Renders the line below the text, which contains the show more button. */
  readonly children: (showMoreButton: ReactNode) => ReactNode
}

/** Shows two lines of a text and a button for the rest. */
export function ClampedText({ text, children }: ClampedTextProps) {
  const id = useId()
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [isClamped, setClamped] = useState(false)
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    const element = paragraph.current
    if (!element || isOpen) return
    // The number of lines also changes with the page width.
    const observer = new ResizeObserver(() => setClamped(element.scrollHeight > element.clientHeight + 1))
    observer.observe(element)
    return () => observer.disconnect()
  }, [isOpen])

  const showMoreButton = isClamped ? (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={id}
      className="rounded-segment text-ink-2 underline underline-offset-2 hover:text-ink pointer-coarse:min-h-11"
      onClick={() => setOpen(!isOpen)}
    >
      {isOpen ? chatStrings.showLess : chatStrings.showMore}
    </button>
  ) : null

  return (
    <>
      <p
        ref={paragraph}
        id={id}
        dir="auto"
        className={classNames('text-base whitespace-pre-wrap wrap-anywhere', !isOpen && 'line-clamp-2')}
      >
        <LinkedText text={text} />
      </p>
      {children(showMoreButton)}
    </>
  )
}

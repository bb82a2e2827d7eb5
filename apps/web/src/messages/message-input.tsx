import { type KeyboardEvent, type Ref, useLayoutEffect, useRef } from 'react'
import { classNames } from '#/ui/class-names.ts'
import { chatWords } from '#/words/chat.ts'

interface MessageInputProps {
  readonly value: string
  readonly placeholder: string
  readonly onChange: (value: string) => void
  /** A press that sends instead of writing. */
  readonly isSendKey: (event: KeyboardEvent) => boolean
  readonly onSend: () => void
  /** In pixels: how tall it is when empty, and how tall it grows. */
  readonly heights: { readonly least: number; readonly most: number }
  readonly className: string
  readonly ref: Ref<HTMLTextAreaElement>
}

/** A box that grows with what is written into it, up to a limit, and then scrolls. */
export function MessageInput({
  value,
  placeholder,
  onChange,
  isSendKey,
  onSend,
  heights,
  className,
  ref,
}: MessageInputProps) {
  const box = useRef<HTMLTextAreaElement>(null)

  useLayoutEffect(() => {
    const element = box.current
    if (element) fitHeight(element, heights, value)
  }, [heights, value])

  function sendOnKey(event: KeyboardEvent) {
    // While a word is being composed, the key belongs to the composition.
    if (event.nativeEvent.isComposing || !isSendKey(event)) return
    event.preventDefault()
    onSend()
  }

  function hold(element: HTMLTextAreaElement | null) {
    box.current = element
    if (typeof ref === 'function') ref(element)
    else if (ref) ref.current = element
  }

  return (
    <textarea
      ref={hold}
      rows={1}
      dir="auto"
      aria-label={chatWords.message}
      placeholder={placeholder}
      value={value}
      className={classNames('block w-full resize-none text-base placeholder:text-ink-3', className)}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={sendOnKey}
    />
  )
}

/** Measured from its least height, so that it shrinks again too. */
function fitHeight(element: HTMLTextAreaElement, { least, most }: MessageInputProps['heights'], value: string): void {
  element.style.height = `${least}px`
  if (value === '') return
  const borders = element.offsetHeight - element.clientHeight
  element.style.height = `${Math.min(most, Math.max(least, element.scrollHeight + borders))}px`
}

import { type KeyboardEvent, type Ref, useLayoutEffect, useRef } from 'react'
import { classNames } from '#/components/ui/class-names.ts'
import { isEnter } from '#/components/ui/inputs/is-enter.ts'
import { chatStrings } from '#/strings/chat.ts'

interface MessageInputProps {
  readonly value: string
  readonly placeholder: string
  readonly onChange: (value: string) => void
  /** Whether Enter with the modifiers of the event sends the message. */
  readonly sendsOnEnter: (event: KeyboardEvent) => boolean
  readonly onSend: () => void
  /** The height in pixels when empty, and the height at which it starts to scroll. */
  readonly heights: { readonly min: number; readonly max: number }
  readonly className: string
  readonly ref: Ref<HTMLTextAreaElement>
}

/** A text area that grows with its content up to a limit. */
export function MessageInput({
  value,
  placeholder,
  onChange,
  sendsOnEnter,
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
    if (!isEnter(event) || !sendsOnEnter(event)) return
    event.preventDefault()
    onSend()
  }

  function attachRef(element: HTMLTextAreaElement | null) {
    box.current = element
    if (typeof ref === 'function') ref(element)
    else if (ref) ref.current = element
  }

  return (
    <textarea
      ref={attachRef}
      rows={1}
      dir="auto"
      aria-label={chatStrings.message}
      placeholder={placeholder}
      value={value}
      className={classNames('block w-full resize-none text-base placeholder:text-ink-3', className)}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={sendOnKey}
    />
  )
}

/** Resets to the minimum height before measuring, so that the field can shrink. */
function fitHeight(element: HTMLTextAreaElement, { min, max }: MessageInputProps['heights'], value: string): void {
  element.style.height = `${min}px`
  if (value === '') return
  const borders = element.offsetHeight - element.clientHeight
  element.style.height = `${Math.min(max, Math.max(min, element.scrollHeight + borders))}px`
}

import { useRef, useSyncExternalStore } from 'react'
import { type Composer, canSend } from './composer.ts'

/** State shared by both composers: the draft, and a send button that keeps the focus in the text field. */
export function useComposer(composer: Composer) {
  const state = useSyncExternalStore(composer.subscribe, composer.current)
  const input = useRef<HTMLTextAreaElement>(null)
  return {
    canSend: canSend(state),
    send() {
      input.current?.focus()
      void composer.send()
    },
    input: { ref: input, value: state.draft, onChange: composer.setDraft },
  }
}

import { useRef, useSyncExternalStore } from 'react'
import { type Composer, canSend } from './composer.ts'

/** What both faces of the box to write in share: the draft, and a press on Send that leaves the caret where it is. */
export function useComposer(composer: Composer) {
  const state = useSyncExternalStore(composer.subscribe, composer.current)
  const input = useRef<HTMLTextAreaElement>(null)
  return {
    canSend: canSend(state),
    send() {
      input.current?.focus()
      void composer.send()
    },
    input: { ref: input, value: state.draft, onChange: composer.write },
  }
}

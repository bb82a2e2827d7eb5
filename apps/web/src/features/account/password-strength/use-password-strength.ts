import { startWorker } from '@sallyport/browser/task-port'
import { useEffect, useRef, useState } from 'react'
import strengthWorkerUrl from '#/lib/workers/strength.worker.ts?worker&url'
import type { PasswordStrength, StrengthTasks } from '#/lib/workers/tasks.ts'

/** Debounce: a password is rated after typing has paused for this long. */
const debounceMs = 150

/** Returns the strength of a password; null until it is known, or if it cannot be determined. */
export function usePasswordStrength(password: string, userInputs: readonly string[]): PasswordStrength | null {
  // Passwords are rated in a worker, because the word lists are large.
  const worker = useRef<ReturnType<typeof startWorker<StrengthTasks>>>(null)
  const [strength, setStrength] = useState<PasswordStrength | null>(null)
  const joinedInputs = userInputs.join('\n')

  useEffect(() => {
    return () => {
      // Its memory held the passwords.
      worker.current?.end()
      worker.current = null
    }
  }, [])

  useEffect(() => {
    if (password === '') return setStrength(null)
    let isCurrent = true
    const timer = setTimeout(async () => {
      worker.current ??= startWorker<StrengthTasks>(strengthWorkerUrl, 'strength')
      const estimated = await worker.current.tasks.judge(password, joinedInputs.split('\n')).catch(() => null)
      if (isCurrent) setStrength(estimated)
    }, debounceMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [password, joinedInputs])

  return strength
}

import { useEffect, useRef, useState } from 'react'
import type { PasswordStrength } from '#/workers/tasks.ts'
import { openPasswordJudge } from './password-judge.ts'

/** Typing has to rest this long before a password is looked at. */
const restMs = 150

/** How hard a password is to guess; null before it is known, which is what it stays where it cannot be told. */
export function usePasswordStrength(password: string, own: readonly string[]): PasswordStrength | null {
  const judge = useRef<ReturnType<typeof openPasswordJudge>>(null)
  const [strength, setStrength] = useState<PasswordStrength | null>(null)
  const known = own.join('\n')

  useEffect(() => {
    return () => {
      judge.current?.end()
      judge.current = null
    }
  }, [])

  useEffect(() => {
    if (password === '') return setStrength(null)
    let isCurrent = true
    const timer = setTimeout(async () => {
      judge.current ??= openPasswordJudge()
      const found = await judge.current.judge(password, known.split('\n')).catch(() => null)
      if (isCurrent) setStrength(found)
    }, restMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [password, known])

  return strength
}

import { passwordSetRedirectMs } from '@sallyport/contract/limits'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { Seal } from '#/components/brand/seal.tsx'
import { TaskLink } from '#/components/brand/task-page.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { setPasswordStrings } from '#/strings/account/set-password.ts'

interface PasswordSetProps {
  readonly lostFiles: number
  /** The organization that was joined; null for none. */
  readonly joined: string | null
}

/** Shows the success message and redirects to the files after a moment. */
export function PasswordSet({ lostFiles, joined }: PasswordSetProps) {
  const navigate = useNavigate()

  useEffect(() => {
    const timer = setTimeout(() => void navigate('/dashboard', { replace: true }), passwordSetRedirectMs)
    return () => clearTimeout(timer)
  }, [navigate])

  return (
    <div role="status" className="text-center">
      <Seal state="sealed" className="mx-auto mb-4" />
      <h1 className="heading text-2xl">{setPasswordStrings.doneTitle}</h1>
      {joined === null ? null : (
        <p className="mt-2 text-sm wrap-anywhere">{setPasswordStrings.joined(visibleName(joined))}</p>
      )}
      {lostFiles > 0 ? <p className="mt-2 text-sm text-ink-2">{setPasswordStrings.undecryptable(lostFiles)}</p> : null}
      <p className="mt-2 text-sm text-ink-2">{setPasswordStrings.done}</p>
      <TaskLink to="/dashboard" replace>
        {setPasswordStrings.goNow}
      </TaskLink>
    </div>
  )
}

import { passwordSetRedirectMs } from '@sallyport/contract/limits'
import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { buttonClass } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { setPasswordWords } from '#/words/set-password.ts'

interface PasswordSetProps {
  readonly lostFiles: number
}

/** Says that it is done, and leads to the files a moment later. */
export function PasswordSet({ lostFiles }: PasswordSetProps) {
  const navigate = useNavigate()

  useEffect(() => {
    const timer = setTimeout(() => void navigate('/dashboard', { replace: true }), passwordSetRedirectMs)
    return () => clearTimeout(timer)
  }, [navigate])

  return (
    <div role="status" className="text-center">
      <h1 className="heading text-2xl">{setPasswordWords.doneTitle}</h1>
      {lostFiles > 0 ? <p className="mt-2 text-sm text-ink-2">{setPasswordWords.lost(lostFiles)}</p> : null}
      <p className="mt-2 text-sm text-ink-2">{setPasswordWords.done}</p>
      <Link to="/dashboard" replace className={classNames(buttonClass('primary', 'large'), 'mt-5 w-full')}>
        {setPasswordWords.goNow}
      </Link>
    </div>
  )
}

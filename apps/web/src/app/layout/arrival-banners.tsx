import { passingBannerMs } from '@sallyport/contract/limits'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Banner } from '#/components/ui/banner.tsx'
import { shellStrings } from '#/strings/shell.ts'

export const VerifiedBanner = () => <PassingBanner text={shellStrings.verified} />

export const DeletedBanner = () => <PassingBanner text={shellStrings.accountDeleted} />

interface PassingBannerProps {
  readonly text: string
}

/** Shows for a few seconds what was done, then removes its cause from the location: the query parameter or the state. */
function PassingBanner({ text }: PassingBannerProps) {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()

  useEffect(() => {
    const timer = setTimeout(() => {
      const query = new URLSearchParams(search)
      query.delete('verified')
      void navigate({ pathname, search: query.toString(), hash }, { replace: true, preventScrollReset: true })
    }, passingBannerMs)
    return () => clearTimeout(timer)
  }, [pathname, search, hash, navigate])

  return (
    <div className="pointer-events-none fixed inset-x-0 top-2.5 z-30 mx-auto w-full max-w-form px-5">
      <Banner tone="seal" className="justify-center text-center shadow-float">
        {text}
      </Banner>
    </div>
  )
}

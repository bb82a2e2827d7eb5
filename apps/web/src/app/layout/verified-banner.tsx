import { verifiedBannerMs } from '@sallyport/contract/limits'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Banner } from '#/components/ui/banner.tsx'
import { shellStrings } from '#/strings/shell.ts'

/** Shows for a few seconds that the email address was confirmed, then removes the query parameter from the URL. */
export function VerifiedBanner() {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()

  useEffect(() => {
    const timer = setTimeout(() => {
      const query = new URLSearchParams(search)
      query.delete('verified')
      void navigate({ pathname, search: query.toString(), hash }, { replace: true, preventScrollReset: true })
    }, verifiedBannerMs)
    return () => clearTimeout(timer)
  }, [pathname, search, hash, navigate])

  return (
    <div className="pointer-events-none fixed inset-x-0 top-16 z-30 mx-auto w-full max-w-form px-5">
      <Banner tone="seal" className="justify-center text-center shadow-float">
        {shellStrings.verified}
      </Banner>
    </div>
  )
}

import { businessRedirectMs, shownCheckoutCharacters } from '@sallyport/contract/organization-limits'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { Seal } from '#/components/brand/seal.tsx'
import { TaskPage } from '#/components/brand/task-page.tsx'
import { Name } from '#/components/names/name.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { checkoutStrings } from '#/strings/account/checkout.ts'
import { businessSignUpStrings } from '#/strings/organization/business-sign-up.ts'
import { productName } from '#/strings/product.ts'
import { clearBusinessSignUp } from '../sign-up/business/stored-business-sign-up.ts'
import { Leaving } from './leaving.tsx'

/** The last page of a business sign-up. It leads to the sign-in, and gives no plan itself. */
export function BusinessSuccessPage() {
  const [query] = useSearchParams()
  const checkoutId = query.get('session_id') ?? ''
  useTitle(`${checkoutStrings.successTitle} · ${productName}`)
  useEffect(() => clearBusinessSignUp(localStorage), [])

  return (
    <TaskPage>
      <div className="grid justify-items-center text-center">
        <Seal state="sealed" className="mb-4" />
        <h1 className="heading text-2xl">{checkoutStrings.successTitle}</h1>
        <p role="status" className="mt-2 text-sm text-ink-2">
          {businessSignUpStrings.done}
        </p>
        {checkoutId === '' ? null : (
          <p className="mt-3 text-xs text-ink-3">
            {businessSignUpStrings.checkout}{' '}
            <Name className="font-mono">{checkoutId.slice(0, shownCheckoutCharacters)}</Name>
          </p>
        )}
        <Leaving to="/" afterMs={businessRedirectMs} />
      </div>
    </TaskPage>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Loaded } from '#/components/parts/loaded.tsx'
import { TextButton } from '#/components/ui/button.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { deviceName } from '#/strings/device-name.ts'
import { formatDateAndTime } from '#/strings/format.ts'
import { type PastSignIn, signInHistoryQuery } from './security.queries.ts'

/** The sign-ins to the account of the last 90 days, which are loaded once they are shown. */
export function SignInHistory() {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="mt-3 border-t border-line pt-3">
      <TextButton aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {isOpen ? securityStrings.hideSignIns : securityStrings.showSignIns}
      </TextButton>
      <div id={id} hidden={!isOpen}>
        {isOpen ? <PastSignIns /> : null}
      </div>
    </div>
  )
}

function PastSignIns() {
  const query = useQuery(signInHistoryQuery(useCall()))
  return (
    <>
      <p className="mt-2 mb-2 text-sm text-ink-2">{securityStrings.signInsIntro}</p>
      <Loaded query={query} failed={securityStrings.signInsFailed} skeletonClassName="h-14">
        {(signIns) =>
          signIns.length === 0 ? (
            <p className="text-sm text-ink-3">{securityStrings.noSignIns}</p>
          ) : (
            <ul
              aria-label={securityStrings.signInsLabel}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
              tabIndex={0}
              className="max-h-72 divide-y divide-line overflow-y-auto text-sm"
            >
              {signIns.map((signIn) => (
                <PastSignInRow key={signIn.id} signIn={signIn} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}

function PastSignInRow({ signIn: { userAgent, signedInAt } }: { readonly signIn: PastSignIn }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-4 py-2">
      <span>{deviceName(userAgent) ?? securityStrings.unknownDevice}</span>
      <span className="text-ink-2">{formatDateAndTime(signedInAt)}</span>
    </li>
  )
}

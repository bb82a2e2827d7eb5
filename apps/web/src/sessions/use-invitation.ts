import { readInviteLink } from '@sallyport/client/sessions/invite-link'
import { useMemo, useState } from 'react'
import { currentArrival, forgetArrival } from './arrival.ts'

/** What an invite link has brought here, until the PIN is changed. */
export function useInvitation() {
  const [arrival, setArrival] = useState(currentArrival)
  const invitation = useMemo(() => arrival && readInviteLink(arrival), [arrival])
  return {
    invitation,
    /** Somebody follows a link to a file. */
    isForFile: arrival !== null && arrival.fileId !== null,
    forget() {
      forgetArrival()
      setArrival(null)
    },
  }
}

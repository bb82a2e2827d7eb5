import type { UserRecord } from '../auth/users/users.store.ts'

/** How admins see a user named: by the email address or, without one, the phone number. */
export const userName = ({ email, phone, id }: Pick<UserRecord, 'email' | 'phone' | 'id'>): string =>
  email ?? (phone === null ? id : `+${phone}`)

import { Name, type NameProps } from '#/components/names/name.tsx'

/** What identifies an account to people. */
interface NamedUser {
  readonly id: string
  /** Empty for an account with a phone number only. */
  readonly email: string
  readonly phone: string | null
}

/** The email address of an account, or its phone number; its id for one whose provider shares neither. */
export function userName({ id, email, phone }: NamedUser): string {
  if (email !== '') return email
  return phone === null ? id : `+${phone}`
}

interface UserNameProps extends Omit<NameProps, 'children'> {
  readonly user: NamedUser
}

export const UserName = ({ user, ...props }: UserNameProps) => <Name {...props}>{userName(user)}</Name>

import { Name, type NameProps } from '#/components/names/name.tsx'

/** What identifies an account to people. */
interface NamedUser {
  /** Empty for an account with a phone number only. */
  readonly email: string
  readonly phone: string | null
}

/** The email address of an account, or its phone number. */
export const userName = ({ email, phone }: NamedUser): string => (email === '' ? `+${phone ?? ''}` : email)

interface UserNameProps extends Omit<NameProps, 'children'> {
  readonly user: NamedUser
}

export const UserName = ({ user, ...props }: UserNameProps) => <Name {...props}>{userName(user)}</Name>

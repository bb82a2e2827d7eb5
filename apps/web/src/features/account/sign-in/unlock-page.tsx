import { Brand } from '#/components/brand/logo.tsx'
import { useForm } from '#/components/forms/use-form.ts'
import { Name } from '#/components/names/name.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { focusOnMount } from '#/components/ui/inputs/focus-on-mount.ts'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { HiddenUsername, PasswordField } from '#/components/ui/inputs/password-field.tsx'
import { type Account, accountName } from '#/lib/api/auth.ts'
import { isWrongKey } from '#/lib/keys/password-keys.ts'
import { unlockStrings } from '#/strings/account/sign-in.ts'
import { productName } from '#/strings/product.ts'
import { useAccounts } from '../accounts-context.ts'
import { unlock } from './sign-in.ts'

interface UnlockPageProps {
  readonly account: Account
}

/** Shown when the user is signed in but neither this tab nor another open tab holds the keys. */
export function UnlockPage({ account }: UnlockPageProps) {
  const { authController, signInDeps } = useAccounts()
  const form = useForm({
    initial: { password: '' },
    onSubmit: ({ password }) => unlock(signInDeps, { account, password }),
    failed: unlockStrings.failed,
    describeError: (error) => (isWrongKey(error) ? unlockStrings.wrongPassword : undefined),
  })
  useTitle(`${unlockStrings.button} · ${productName}`)

  return (
    <main
      id="main"
      tabIndex={-1}
      className="grid min-h-dvh content-start justify-items-center px-5 pt-16 outline-none md:pt-24"
    >
      <Brand />
      <Card depth="float" className="mt-7 w-full max-w-form p-5.5!">
        <h1 className="heading text-2xl">{unlockStrings.title}</h1>
        <p className="mt-2 text-sm text-ink-2">{unlockStrings.explanation}</p>
        <Form form={form} className="mt-5 grid gap-4">
          <HiddenUsername name={accountName(account)} />
          <p className="text-sm">
            <span className="text-ink-2">{unlockStrings.signedInAs} </span>
            <Name className="font-semibold wrap-anywhere">{accountName(account)}</Name>
          </p>
          <PasswordField ref={focusOnMount} {...form.text('password')} />
          <Submit
            form={form}
            label={unlockStrings.button}
            busyLabel={unlockStrings.busy}
            disabled={form.values.password === ''}
          />
          <Button variant="quiet" onClick={() => void authController.signOut()}>
            {unlockStrings.otherAccount}
          </Button>
        </Form>
      </Card>
    </main>
  )
}

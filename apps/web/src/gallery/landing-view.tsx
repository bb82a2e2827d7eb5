import { useState } from 'react'
import { HeroArches } from '#/components/brand/arch-lines.tsx'
import { Brand } from '#/components/brand/logo.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { Checkbox } from '#/components/ui/inputs/checkbox.tsx'
import { PasswordField } from '#/components/ui/inputs/password-field.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { TabList, TabPanel, Tabs } from '#/components/ui/tabs.tsx'

export function LandingView() {
  const [tab, setTab] = useState('signin')
  return (
    <>
      <header className="flex h-16 items-center px-5 md:px-10">
        <Brand />
      </header>
      <main className="mx-auto grid max-w-page gap-x-10 gap-y-8 px-5 pt-5 md:grid-cols-[1fr_26.25rem] md:px-12">
        <div className="max-md:contents">
          <div className="md:pt-7">
            <h1 className="heading-large text-4xl md:text-5xl">
              Nothing leaves your
              <br />
              device unencrypted.
            </h1>
            <p className="mt-4 max-w-[30rem] text-lg text-ink-2">
              Files and messages are encrypted in your browser, delivered, and deleted when they expire.
            </p>
          </div>
          <HeroArches className="mt-11 max-w-[30rem] max-md:hidden" />
        </div>
        <Card depth="float" className="self-start p-5.5!">
          <Tabs value={tab} onValueChange={setTab}>
            <TabList
              label="How to enter"
              tabs={[
                { value: 'signin', label: 'Sign In' },
                { value: 'signup', label: 'Sign Up' },
                { value: 'joinSession', label: 'Join Session' },
              ]}
            />
            <TabPanel value={tab} className="mt-5 grid gap-4">
              <TextField label="Email" type="email" defaultValue="mara@harborlight.studio" autoComplete="username" />
              <PasswordField label="Password" autoComplete="current-password" defaultValue="correct horse" />
              <Checkbox label="Remember this device for 7 days (sliding on activity)" defaultChecked />
              <Button variant="primary" size="large" busyLabel="Signing In..." fullWidth>
                Sign In
              </Button>
              <p className="text-xs text-ink-3">Your password never leaves this device.</p>
            </TabPanel>
          </Tabs>
        </Card>
      </main>
    </>
  )
}

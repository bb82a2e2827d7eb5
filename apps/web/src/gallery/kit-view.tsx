import { FileText, LogOut, Settings, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ArchLines } from '#/components/brand/arch-lines.tsx'
import { HourRing } from '#/components/brand/hour-ring.tsx'
import { Brand } from '#/components/brand/logo.tsx'
import { PinPlates } from '#/components/brand/pin-plates.tsx'
import { PrivacySummary } from '#/components/brand/privacy-summary.tsx'
import { Seal } from '#/components/brand/seal.tsx'
import { StorageMeter } from '#/components/brand/storage-meter.tsx'
import { TransferBar } from '#/components/brand/transfer-bar.tsx'
import { Badge } from '#/components/ui/badge.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { EmptyState } from '#/components/ui/empty-state.tsx'
import { IconButton } from '#/components/ui/icon-button.tsx'
import { Checkbox } from '#/components/ui/inputs/checkbox.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { PasswordField } from '#/components/ui/inputs/password-field.tsx'
import { PinField } from '#/components/ui/inputs/pin-field.tsx'
import { Select } from '#/components/ui/inputs/select.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator, MenuText } from '#/components/ui/overlays/menu.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { ProgressBar } from '#/components/ui/progress-bar.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { TabList, TabPanel, Tabs } from '#/components/ui/tabs.tsx'
import { useTheme } from '#/lib/theme/use-theme.ts'

const now = Date.now()
const minutes = (count: number) => now + count * 60_000

export function KitView() {
  const [theme, setTheme] = useTheme()
  const [tab, setTab] = useState('one')
  const [pin, setPin] = useState('')
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [sealState, setSealState] = useState<'sending' | 'sealed'>('sending')
  const toast = useToast()

  return (
    <main className="mx-auto grid max-w-page gap-5 p-5 md:grid-cols-2">
      <div className="flex items-center justify-between md:col-span-2">
        <Brand />
        <Menu trigger={<Button size="compact">MA</Button>}>
          <MenuText>mara@harborlight.studio</MenuText>
          <MenuItem icon={<Settings aria-hidden size={18} strokeWidth={1.75} />}>Settings</MenuItem>
          <MenuChoice
            label="Theme"
            value={theme}
            onValueChange={setTheme}
            choices={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
          <MenuSeparator />
          <MenuItem tone="rust" icon={<LogOut aria-hidden size={18} strokeWidth={1.75} />}>
            Sign Out
          </MenuItem>
        </Menu>
      </div>

      <Card className="grid content-start gap-3">
        <CardHeading title="Buttons" count={12} />
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" busy={busy} busyLabel="Signing In..." onClick={() => setBusy(true)}>
            Sign In
          </Button>
          <Button>Secondary</Button>
          <Button variant="quiet">Quiet</Button>
          <Button variant="danger" onClick={() => setConfirmOpen(true)}>
            Delete
          </Button>
          <Button variant="danger-outline" size="compact">
            Delete All
          </Button>
          <Button variant="danger-quiet">Delete</Button>
          <Button disabled>Join</Button>
          <Button variant="primary" disabled>
            Send
          </Button>
          <Button size="compact">Compact</Button>
          <Button size="large" variant="primary">
            Large
          </Button>
          <IconButton label="Delete file" icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />} />
          <CopyButton label="Copy Link" subject="plan.pdf" onCopy={async () => true} />
          <Button onClick={() => toast({ text: 'Link copied to clipboard!', tone: 'seal' })}>Toast</Button>
          <Button
            onClick={() =>
              toast({ text: 'Upload cancelled by user', action: { label: 'Resume', onPress: () => undefined } })
            }
          >
            Toast with action
          </Button>
          <Button onClick={() => setOpen(true)}>Dialog</Button>
        </div>
        <div className="flex flex-wrap gap-2">
          <Badge>Queued</Badge>
          <Badge tone="seal">Encrypting</Badge>
          <Badge tone="brass">Ending Soon</Badge>
          <Badge tone="rust">Failed</Badge>
          <Badge tone="ink">Recommended</Badge>
        </div>
        <ProgressBar label="Storage" value={0.4} />
        <ProgressBar label="Loading" value={null} tone="seal" />
        <Skeleton className="h-4 w-48" />
        <FormAlert message="Invalid email or password" />
        <FormAlert tone="seal" message="Login successful!" />
      </Card>

      <Card className="grid content-start gap-4">
        <Tabs value={tab} onValueChange={setTab}>
          <TabList
            label="Fields"
            tabs={[
              { value: 'one', label: 'Sign In' },
              { value: 'two', label: 'Sign Up' },
              { value: 'three', label: 'Join Session' },
            ]}
          />
          <TabPanel value={tab} className="mt-5 grid gap-4">
            <TextField
              label="Email"
              type="email"
              defaultValue="mara@harborlight.studio"
              hint="We only email you when you ask us to."
            />
            <PasswordField
              label="Password"
              autoComplete="current-password"
              defaultValue="correct horse"
              error="Password must be at least 6 characters"
            />
            <Select
              label="File Expiration Time"
              options={[
                { value: '5', label: '5 minutes' },
                { value: '60', label: '1 hour' },
              ]}
            />
            <Checkbox label="Remember this device for 7 days (sliding on activity)" defaultChecked />
            <Checkbox label="Not now" disabled />
          </TabPanel>
        </Tabs>
      </Card>

      <div className="grid gap-2 md:col-span-2">
        <Banner tone="seal" onDismiss={() => undefined}>
          Email Verified Successfully!
        </Banner>
        <Banner tone="rust" urgent actions={<Button size="compact">Retry</Button>} onDismiss={() => undefined}>
          Failed to upload site-photos-harbour.zip: Chunk 12 failed after 3 attempts
        </Banner>
        <Banner tone="brass">You're offline. Transfers are paused.</Banner>
        <Banner>Upload cancelled by user</Banner>
      </div>

      <Card className="grid content-start gap-5">
        <CardHeading title="Seal">
          <Button size="compact" onClick={() => setSealState(sealState === 'sealed' ? 'sending' : 'sealed')}>
            Toggle
          </Button>
        </CardHeading>
        <div className="flex flex-wrap items-end gap-4">
          <Seal state="idle" />
          <Seal state="waiting" />
          <Seal state="encrypting" encrypted={0.4} />
          <Seal state="sending" encrypted={0.74} delivered={0.46} />
          <Seal state={sealState} encrypted={1} delivered={0.8} />
          <Seal state="sealed" />
          <Seal state="failed" encrypted={0.6} delivered={0.4} />
          <Seal state="cancelled" />
          <Seal state="sending" encrypted={1} delivered={0.71} size={56} />
          <Seal state="sending" delivered={0.58} size={120} />
          <Seal state="sealed" size={120} />
        </div>
        <TransferBar label="Uploading" encrypted={0.74} delivered={0.46} valueText="46 percent" />
        <TransferBar label="Failed" encrypted={0.6} delivered={0.4} valueText="failed at 40 percent" tone="rust" />
        <div className="flex flex-wrap gap-4 text-xs">
          {[1500, 252, 61, 38, 4, 1, 0].map((left) => (
            <span key={left} className="flex items-center gap-2">
              <HourRing expiresAt={minutes(left)} now={now} /> {left} min
            </span>
          ))}
        </div>
      </Card>

      <div className="grid content-start gap-5">
        <PrivacySummary
          intro="Only what it needs to store your files and delete them on time."
          rows={[
            { subject: 'Contents and names', visibility: 'encrypted' },
            { subject: 'Keys', visibility: 'neverSent' },
            { subject: 'Size, expiry', visibility: 'visible' },
          ]}
          ciphertext={['9f2c 41d8 77ae 03b1 c6e0', '5a1d 8b44 f7d2 1c96 b302', 'ee61 4f9d a058 cc31 07be']}
        />
        <StorageMeter usedBytes={1.7} totalBytes={50} text="1.70 GB of 50.00 GB" planName="Personal" />
        <StorageMeter usedBytes={46} totalBytes={50} text="46.00 GB of 50.00 GB" planName="Personal" />
      </div>

      <Card>
        <EmptyState
          illustration={<FileText aria-hidden size={28} strokeWidth={1.5} className="text-ink-3" />}
          title="No messages yet"
          hint="Send a message to see it here"
        />
      </Card>
      <Card className="grid content-start justify-items-start gap-4">
        <PinPlates pin="482913" />
        <PinPlates pin="482913" size="small" />
        <PinField label="PIN" value={pin} onChange={setPin} />
        <PinField label="PIN" value="48" onChange={setPin} error="PIN must be exactly 6 digits" />
      </Card>
      <Card className="group">
        <ArchLines open filled className="mx-auto h-56" />
      </Card>

      <ConfirmDialog
        open={isConfirmOpen}
        onOpenChange={setConfirmOpen}
        title="Delete File"
        description="Are you sure you want to delete this file? This action cannot be undone."
        confirmLabel="Delete"
        onConfirm={() => setConfirmOpen(false)}
      />
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Organization Details"
        description="The name on every member's invoices."
        actions={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button variant="primary" disabled>
              Continue to Checkout
            </Button>
          </>
        }
      >
        <TextField label="Organization Name *" />
      </Dialog>
    </main>
  )
}

import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { HeroArches } from '#/components/brand/arch-lines.tsx'
import { Brand } from '#/components/brand/logo.tsx'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { TabList, TabPanel, Tabs } from '#/components/ui/tabs.tsx'
import { landingStrings } from '#/strings/account/landing.ts'
import { passwordResetStrings } from '#/strings/account/password-reset.ts'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { productName } from '#/strings/product.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { BackButton } from './back-button.tsx'
import { type LandingView, useLandingView } from './use-landing-view.ts'

const SignUpPanel = lazyPart(async () => (await import('../sign-up/sign-up-panel.tsx')).SignUpPanel)
const ForgotForm = lazyPart(async () => (await import('../sign-in/forgot-form.tsx')).ForgotForm)
const PrivacySummaryDialog = lazyPart(async () => (await import('./privacy-summary-dialog.tsx')).PrivacySummaryDialog, {
  notice: 'floating',
})

type Tab = 'signin' | 'signup' | 'joinSession'

const tabs = () =>
  [
    { value: 'signin', label: signInStrings.tab },
    { value: 'signup', label: landingStrings.signUp },
    { value: 'joinSession', label: landingStrings.joinSession },
  ] as const

function titleOf(view: LandingView): string {
  if (view === 'signin') return productName
  const titles = {
    signup: landingStrings.signUp,
    trial: landingStrings.signUp,
    business: landingStrings.signUp,
    forgot: passwordResetStrings.title,
    joinSession: landingStrings.joinSession,
  }
  return `${titles[view]} · ${productName}`
}

interface LandingPageProps {
  /** Important notice below the header. */
  readonly notice: ReactNode
  /** Form to join a session without an account. */
  readonly joinSession: ReactNode
  /** Portal access below the sign-in card. */
  readonly portalAccess: ReactNode
}

/** Landing page: introduces the product and offers to sign in, sign up or join a session. */
export function LandingPage({ notice, joinSession, portalAccess }: LandingPageProps) {
  const { view, show, pick, pickedPlan, knownEmail } = useLandingView()
  const [email, setEmail] = useState(knownEmail)
  useTitle(titleOf(view))
  useFocusOnReturn(view)

  return (
    <>
      <LandingHeader />
      <Suspense>{notice}</Suspense>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto grid max-w-page grid-cols-1 gap-x-10 gap-y-8 px-5 pt-5 pb-16 outline-none md:grid-cols-[1fr_26.25rem] md:px-12"
      >
        <Hero />
        <div className="flex flex-col gap-5 self-start max-md:order-2">
          <div className="pad-card rounded-card border border-line bg-surface shadow-float md:p-5.5">
            <Tabs<Tab> value={tabOf(view)} onValueChange={(tab) => show(tab)}>
              <TabList label={landingStrings.start} tabs={tabs()} />
              <TabPanel value="signin" className="mt-5">
                {view === 'forgot' ? (
                  // No Suspense boundary here, so the sign-in form stays visible until the chunk has loaded.
                  <>
                    <BackButton onClick={() => show('signin')}>{passwordResetStrings.back}</BackButton>
                    <ForgotForm email={email} onEmailChange={setEmail} />
                  </>
                ) : (
                  <SignInForm email={email} onEmailChange={setEmail} onForgot={() => show('forgot')} />
                )}
              </TabPanel>
              <TabPanel value="signup" className="mt-5">
                <Suspense>
                  <SignUpPanel
                    email={email}
                    onEmailChange={setEmail}
                    pickedPlan={pickedPlan}
                    onPick={pick}
                    onBack={() => show('signup')}
                    onConfirmed={() => show('signin')}
                  />
                </Suspense>
              </TabPanel>
              <TabPanel value="joinSession" className="mt-5">
                <Suspense>{joinSession}</Suspense>
              </TabPanel>
            </Tabs>
          </div>
          {view === 'signin' || view === 'joinSession' ? <Suspense>{portalAccess}</Suspense> : null}
        </div>
      </main>
    </>
  )
}

/** Focuses the sign-in form after the control that led back to it has disappeared. */
function useFocusOnReturn(view: LandingView): void {
  const previousRef = useRef(view)
  useEffect(() => {
    const isBack = view === 'signin' && previousRef.current !== 'signin'
    previousRef.current = view
    if (isBack && document.activeElement === document.body)
      document.querySelector<HTMLInputElement>('#main input[name=email]')?.focus()
  }, [view])
}

function tabOf(view: LandingView): Tab {
  if (view === 'trial' || view === 'business') return 'signup'
  return view === 'forgot' ? 'signin' : view
}

function LandingHeader() {
  const [hasOpened, setHasOpened] = useState(false)
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="flex h-16 items-center justify-between px-5 md:px-10">
      <Brand />
      <button
        type="button"
        className="-me-2 rounded-segment px-2 py-1.5 text-xs text-ink-2 hover:text-ink pointer-coarse:min-h-11"
        onClick={() => {
          setHasOpened(true)
          setOpen(true)
        }}
      >
        {landingStrings.serverSees}
      </button>
      {hasOpened ? (
        <Suspense>
          <PrivacySummaryDialog open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </header>
  )
}

function Hero() {
  return (
    <div className="max-md:contents">
      <div className="max-md:order-1 md:pt-7">
        <h1 className="heading-large text-4xl max-[22.5rem]:text-3xl md:text-5xl">
          {landingStrings.claimStart}
          <br />
          {landingStrings.claimEnd}
        </h1>
        <p className="mt-4 max-w-[30rem] text-lg text-ink-2">{landingStrings.lead}</p>
      </div>
      <div className="mt-11 max-w-[30rem] max-md:order-3 max-md:mx-auto max-md:mt-0 max-md:h-30 max-md:overflow-hidden max-md:[mask-image:linear-gradient(to_bottom,#000_40%,transparent)]">
        <HeroArches />
      </div>
    </div>
  )
}

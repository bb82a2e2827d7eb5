import { lazy, type ReactNode, Suspense, useState } from 'react'
import { HeroArches } from '#/motifs/arch-lines.tsx'
import { Brand } from '#/motifs/mark.tsx'
import { classNames } from '#/ui/class-names.ts'
import { TabList, TabPanel, Tabs } from '#/ui/tabs.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { landingWords } from '#/words/landing.ts'
import { serverSeesTitle } from '#/words/ledger.ts'
import { productName } from '#/words/product.ts'
import { recoveryWords } from '#/words/recovery.ts'
import { signInWords } from '#/words/sign-in.ts'
import { signUpWords } from '#/words/sign-up.ts'
import { BackButton } from './back-button.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { type LandingView, useLandingView } from './use-landing-view.ts'

const loadSignUp = () => import('./sign-up-panel.tsx')

const SignUpPanel = lazy(async () => ({ default: (await loadSignUp()).SignUpPanel }))
const ForgotForm = lazy(async () => ({ default: (await import('./forgot-form.tsx')).ForgotForm }))
const LedgerDialog = lazy(async () => ({ default: (await import('./ledger-dialog.tsx')).LedgerDialog }))

type Tab = 'signin' | 'signup' | 'joinSession'

const tabs = [
  { value: 'signin', label: signInWords.tab },
  { value: 'signup', label: signUpWords.tab },
  { value: 'joinSession', label: landingWords.joinSession },
] as const

const titles: Record<LandingView, string> = {
  signin: productName,
  signup: `${signUpWords.tab} · ${productName}`,
  trial: `${signUpWords.tab} · ${productName}`,
  forgot: `${recoveryWords.title} · ${productName}`,
  joinSession: `${landingWords.joinSession} · ${productName}`,
}

interface LandingPageProps {
  /** What somebody has to know first, beneath the bar. */
  readonly notice: ReactNode
  /** The way into a session, for whoever has no account. */
  readonly joinSession: ReactNode
  /** The way into a portal, beneath the ways in. */
  readonly portalAccess: ReactNode
}

/** The front of the house: what this is, and the ways in. */
export function LandingPage({ notice, joinSession, portalAccess }: LandingPageProps) {
  const { view, show, picked, knownEmail } = useLandingView()
  const [email, setEmail] = useState(knownEmail)
  const isPicking = view === 'signup'
  useTitle(titles[view])

  return (
    <>
      <LandingHeader />
      <Suspense>{notice}</Suspense>
      <main
        id="main"
        tabIndex={-1}
        className={classNames(
          'mx-auto px-5 pt-5 pb-16 outline-none',
          isPicking
            ? 'max-w-[42rem]'
            : 'grid max-w-page grid-cols-1 gap-x-10 gap-y-8 md:grid-cols-[1fr_26.25rem] md:px-12',
        )}
      >
        {isPicking ? null : <Hero />}
        <div className={isPicking ? undefined : 'flex flex-col gap-5 self-start max-md:order-first'}>
          <div
            className={
              isPicking ? undefined : 'pad-card rounded-card border border-line bg-surface shadow-float md:p-5.5'
            }
          >
            <Tabs<Tab> value={tabOf(view)} onValueChange={(tab) => show(tab)}>
              <TabList label="Ways in" tabs={tabs} className={isPicking ? 'max-w-form' : ''} />
              <TabPanel value="signin" className="mt-5">
                {view === 'forgot' ? (
                  // Nothing catches its loading here, so that the form before it stays until it is there.
                  <>
                    <BackButton onClick={() => show('signin')}>{recoveryWords.back}</BackButton>
                    <ForgotForm email={email} onEmailChange={setEmail} />
                  </>
                ) : (
                  <SignInForm email={email} onEmailChange={setEmail} onForgot={() => show('forgot')} />
                )}
              </TabPanel>
              <TabPanel value="signup" className={isPicking ? 'mt-9' : 'mt-5'}>
                <Suspense>
                  <SignUpPanel
                    email={email}
                    onEmailChange={setEmail}
                    picked={isPicking ? null : picked}
                    onPick={(plan) => show('trial', plan)}
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
          {isPicking ? null : <Suspense>{portalAccess}</Suspense>}
        </div>
      </main>
    </>
  )
}

function tabOf(view: LandingView): Tab {
  if (view === 'trial') return 'signup'
  return view === 'forgot' ? 'signin' : view
}

function LandingHeader() {
  const [isAsked, setAsked] = useState(false)
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="flex h-16 items-center justify-between px-5 md:px-10">
      <Brand />
      <button
        type="button"
        className="-me-2 rounded-segment px-2 py-1.5 text-xs text-ink-2 hover:text-ink pointer-coarse:min-h-11"
        onClick={() => {
          setAsked(true)
          setOpen(true)
        }}
      >
        {serverSeesTitle}
      </button>
      {isAsked ? (
        <Suspense>
          <LedgerDialog open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </header>
  )
}

function Hero() {
  return (
    <div>
      <div className="md:pt-7">
        <h1 className="heading-large text-4xl md:text-5xl">
          Nothing leaves
          <br />
          here unsealed.
        </h1>
        <p className="mt-4 max-w-[30rem] text-lg text-ink-2">
          Files and messages are encrypted in your browser, carried through, and gone when their time is up.
        </p>
      </div>
      <div className="mt-11 max-w-[30rem] max-md:mx-auto max-md:mt-8 max-md:h-30 max-md:overflow-hidden max-md:[mask-image:linear-gradient(to_bottom,#000_40%,transparent)]">
        <HeroArches />
      </div>
    </div>
  )
}

import { area } from '../area.ts'

export const checkoutStrings = area('checkout', {
  title: 'Checkout',
  testTitle: 'Test checkout – no money moves',
  testText: 'This server has no payment provider set up.',
  plan: 'The Personal plan',
  forAccount: 'For',
  renews: 'Renews each month until cancelled',
  pay: (price: string) => `Pay ${price}`,
  paying: 'Paying...',
  decline: 'Decline the card',
  back: 'Back',
  failed: 'Couldn’t load this checkout',
  payFailed: 'The payment failed. Nothing was changed.',
  expired: 'This checkout has expired',
  expiredText: 'Nothing was paid. Start again from your account.',
  paid: 'This order is paid',
  continue: 'Continue',

  successTitle: 'Thank you',
  active: (plan: string) => `Your ${plan} plan is active.`,
  confirming: 'Your payment is being confirmed...',
  late: 'We haven’t received a payment yet. Check Settings in a moment.',
  signIn: 'Sign in to use your plan.',
  leavesIn: (seconds: number) => `Continuing in ${seconds} s`,
  goNow: 'Go now',
})

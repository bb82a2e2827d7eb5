import { area } from '../area.ts'

export const businessSignUpStrings = area('businessSignUp', {
  organizationName: 'Organization name',
  seats: (count: number, price: string, total: string) =>
    `${count} seats × ${price} = ${total} per month, charged at checkout.`,
  button: 'Create Account & Continue to Checkout',
  creating: 'Creating...',
  failed: (reason: string) => `Account creation failed: ${reason}`,
  failedUnknown: 'Account creation failed',

  finish: (name: string) => `Finish setting up ${name}.`,
  finishText: 'Its seats are not paid for yet.',
  notNow: 'Not now',
  notNowFailed: 'Couldn’t save your choice',

  done: 'Business account setup complete! Please sign in to access your dashboard.',
  checkout: 'Checkout',
})

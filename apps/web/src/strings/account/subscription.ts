import { area } from '../area.ts'

export const subscriptionStrings = area('subscription', {
  heading: 'Subscription Management',
  active: 'Active',
  endingSoon: 'Ending Soon',
  overdue: 'Payment overdue',
  perMonth: (price: string) => `${price} per month`,
  nextBillingDate: 'Next billing date',
  endsOn: 'Ends on',
  storage: (gigabytes: number) => `${gigabytes}GB storage`,
  features: ['Priority support', 'Advanced encryption', 'Share links'],
  cancel: 'Cancel Subscription',
  cancelTitle: 'Cancel your subscription?',
  cancelText: (date: string, gigabytes: number, days: number) =>
    `Your plan stays until ${date}. After that you have a trial with ${gigabytes} GB for ${days} days. Files that don’t fit stay until they expire.`,
  keep: 'Keep Subscription',
  confirmCancel: 'Yes, Cancel Subscription',
  cancelling: 'Cancelling...',
  cancelled: 'Your subscription is cancelled.',
  cancelFailed: 'Failed to cancel subscription',
  ending: (date: string) => `You keep this plan until ${date}. You won’t be charged again.`,
  afterPlan: (storage: string, date: string) => `Your plan has ended. You have ${storage} until ${date}.`,
  failed: 'Couldn’t load your subscription',

  paymentDetails: 'Payment details',
  unpaid: (date: string) => `The last payment failed. Update your payment method by ${date} to keep your plan.`,
  update: 'Update',
  opening: 'Opening…',
  paymentPageFailed: 'The payment page could not be opened',
})

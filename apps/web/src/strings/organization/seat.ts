import { area } from '../area.ts'

export const seatStrings = area('seat', {
  from: (organization: string) => `Your seat comes from ${organization}.`,
  endsOn: (date: string) => `All seats end on ${date}. You have a trial then and keep your files.`,
  owned: (organization: string) => `You own ${organization}.`,
  seats: (used: number, total: number) => `${used} of ${total} seats used`,
  cost: (price: string) => `${price} per month`,
  open: 'Open the dashboard',
  leave: 'Leave the organization',
  leaveTitle: (organization: string) => `Leave ${organization}?`,
  leaveText: 'You go back to a trial account and keep your files. Your seat becomes free.',
  stay: 'Stay',
  leaving: 'Leaving...',
  leaveFailed: 'Couldn’t leave the organization',
  invited: (organization: string) => `You’re invited to ${organization}.`,
  join: 'Join',
})

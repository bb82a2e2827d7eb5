import { area } from '../area.ts'

export const landingStrings = area('landing', {
  signUp: 'Sign Up',
  joinSession: 'Join Session',
  start: 'Get started',
  serverSees: 'What the server sees',
  claimStart: 'Nothing leaves your',
  claimEnd: 'device unencrypted.',
  lead: 'Files and messages are encrypted in your browser, delivered, and deleted when they expire.',
})

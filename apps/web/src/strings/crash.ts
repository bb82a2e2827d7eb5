import { area } from './area.ts'

export const crashStrings = area('crash', {
  title: 'Something went wrong',
  explanation: 'This page crashed. Your files are safe.',
  details: 'Details',
  home: 'Go home',
  copyDetails: 'Copy details',
  reload: 'Reload Page',
  routeTitle: 'Unexpected Application Error!',
  missingTitle: 'This part couldn’t be loaded',
  missing: 'A browser extension or a network filter may be blocking it.',
  tryAgain: 'Try again',
  notFound: 'There’s no page at this address.',
})

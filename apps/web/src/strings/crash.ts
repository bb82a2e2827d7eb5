import { area } from './area.ts'

export const crashStrings = area('crash', {
  title: 'Something went wrong',
  explanation: 'This page crashed. Your files are safe.',
  details: 'Details',
  home: 'Go home',
  copyDetails: 'Copy details',
  reload: 'Reload Page',
  routeTitle: 'Unexpected Application Error!',
  notFound: 'There’s no page at this address.',
})

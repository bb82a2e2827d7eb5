export const crashWords = {
  title: 'Something went wrong',
  explanation: 'This screen stopped. Your files are not affected.',
  details: 'Details',
  home: 'Go home',
  copyDetails: 'Copy details',
  reload: 'Reload Page',
  routeTitle: 'Unexpected Application Error!',
} as const

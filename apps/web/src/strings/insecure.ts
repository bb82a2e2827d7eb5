import { area } from './area.ts'

export const insecureStrings = area('insecure', {
  title: 'HTTPS required',
  reason:
    'Sallyport encrypts everything in your browser before upload, and browsers allow that only on pages loaded over HTTPS. This one wasn’t.',
  open: 'Open over HTTPS',
  operator:
    'If that doesn’t work, ask the administrator of this server to enable HTTPS. On the server itself, localhost works too.',
})

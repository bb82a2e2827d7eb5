export const insecureWords = {
  title: 'HTTPS required',
  reason:
    'Sallyport seals everything in your browser before it leaves, and browsers allow that only on pages that came over HTTPS. This one did not.',
  open: 'Open over HTTPS',
  operator:
    'If that does not work, ask whoever runs this server to put it behind HTTPS. On the machine itself, localhost works too.',
} as const

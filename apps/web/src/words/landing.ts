export const landingWords = {
  joinSession: 'Join Session',
} as const

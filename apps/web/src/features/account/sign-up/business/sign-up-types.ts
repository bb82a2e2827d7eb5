/** What the metadata of a user says about the sign-up: whether the seats of its organization are still to be paid for. */
export const signUpTypes = { pending: 'business_pending', paid: 'business', declined: 'trial' } as const

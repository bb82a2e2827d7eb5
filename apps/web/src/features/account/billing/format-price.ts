/** An amount in dollars, always with cents: `$10.00`. */
export const formatPrice = (cents: number): string => `$${(cents / 100).toFixed(2)}`

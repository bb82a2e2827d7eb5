/** An amount in dollars, always with cents: `$1,010.00`. */
export const formatPrice = (cents: number): string =>
  `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

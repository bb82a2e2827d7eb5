/** This folder holds the strings of the user interface, one file per screen. Strings quoted in the specification must not change. */
export const productName = 'Sallyport'

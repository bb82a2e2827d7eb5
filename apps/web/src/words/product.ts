/** The words of each screen stand in this folder, one file a screen; those the specification fixes stand word for word. */
export const productName = 'Sallyport'

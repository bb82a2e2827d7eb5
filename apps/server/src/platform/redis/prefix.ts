/** Every key and every channel of Sallyport begins with this. */
export const prefix = 'sallyport:'

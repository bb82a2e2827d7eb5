/** Every key and every channel of ours begins so. */
export const prefix = 'sallyport:'

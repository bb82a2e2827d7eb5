/** Returns a day as it is written in messages, such as "March 5, 2027"; days begin at midnight UTC. */
export const formatDay = (time: number): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(time)

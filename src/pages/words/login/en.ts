/** What the page says in English at which customers ask for a link to the portal. */
export const words = {
  page: 'Sign in',
  title: 'Your subscription',
  text: 'We email you a link to it. You need no password.',
  send: 'Send link',
  sent: 'If we know this address, an email with a link is on its way. The link works for an hour.',
  again: 'Use another address',
  unknown: 'There is no such page. Check the address, or ask the seller for it.',
  unavailable: 'The page cannot be shown right now. Reload it to try again.',
  failed: 'This did not work. Try again.',
  noAnswer: 'The service cannot be reached. Try again.',
} as const;

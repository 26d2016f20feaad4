/** What the page of a payment link says in English. */
export const words = {
  total: 'To pay',
  paid: (amount: string) => `Thank you. ${amount} has been paid.`,
  alreadyPaid: (amount: string) => `${amount} has already been paid. Nothing more is charged here.`,
  canceled: 'This payment was canceled. Ask the seller for a new link.',
  unavailable: 'The payment cannot be shown right now. Reload the page to try again.',
} as const;

/** What the pages that ask for a card say in English. */
export const words = {
  paying: (amount: string, email: string) => `${amount}, billed to ${email}.`,
  storing: (email: string) => `The card for later charges, billed to ${email}. Nothing is charged today.`,
  accessEnds: (day: string) => `Access ends on ${day} unless it is paid before.`,
  paid: 'Thank you. The payment has arrived.',
  stored: 'Thank you. The card is saved.',
  alreadyPaid: 'This has already been paid. Nothing more is charged here.',
  ended: 'The subscription has ended.',
  over: 'There is nothing to do here any more. Ask the seller for a new link.',
  stillOpen: (amount: string) => `${amount} is still open.`,
  chargedOn: (day: string) => `It is charged to this card on ${day}.`,
  payNow: (amount: string) => `Pay ${amount} now`,
  unavailable: 'The page cannot be shown right now. Reload it to try again.',
} as const;

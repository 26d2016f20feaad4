/** What customers' pages say in English about test cards and countries: in the sandbox alone. */
export const words = {
  title: 'Test cards',
  text: 'No money moves here. Choose a card to fill it in.',
  pays: 'Pays',
  declined: 'Is declined',
  insufficient: 'Has insufficient funds',
  expired: 'Has expired',
  confirmation: 'Needs confirmation',
  later: 'Pays once, is declined later',
  seenFrom: 'Seen from',
  ownCountry: 'the country of the customer',
} as const;

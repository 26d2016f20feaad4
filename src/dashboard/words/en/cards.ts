import { plural } from '../language.ts';

/** What the list of card promotions says. */
export const cards = {
  text: 'Offers for the holders of some cards, such as those of a bank.',
  empty: 'There are no card promotions yet',
  notAvailable: 'Card promotions are not switched on for your organization. Those that exist do not apply.',
  new: 'New card promotion',
  create: 'Create card promotion',
  of: (offer: string) => `Card promotion: ${offer}`,
  offer: 'Offer',
  offerHelp: 'An offer that begins with a discount.',
  bins: 'First digits of the cards',
  binsHelp: (count: number) =>
    `6 or 8 digits each, separated by spaces or lines. ${count} ${plural(count, 'range', 'ranges')}.`,
  wrongBins: (texts: string) => `Not 6 or 8 digits: ${texts}`,
  moreBins: (bins: string, more: number) => `${bins} and ${more} more`,
  interval: 'For prices billed',
  everyInterval: 'At every interval',
  discovered: 'Found by the card',
  discoveredHelp:
    'On: the checkout finds it when such a card is entered. Off: only when your software names it.',
  byCard: 'By the card',
  named: 'Only when named',
  created: 'Created',
  deleteTitle: 'Delete this card promotion?',
  deleteText: 'Cards no longer get the offer. Customers who have it keep it. This cannot be undone.',
};

import { plural } from '../language.ts';

/** What the list of markets says. */
export const markets = {
  text: 'Countries that share prices. A plan can have an amount of its own for each market.',
  empty: 'There are no markets yet',
  note: 'A customer’s market follows from the billing address, and stays once the first checkout is completed.',
  new: 'New market',
  create: 'Create market',
  countriesTitle: 'Countries',
  countries: (count: number) => `${count} ${plural(count, 'country', 'countries')}`,
  searchCountry: 'Search countries',
  noCountry: 'No country matches.',
  takenBy: (market: string) => `In the market ${market}`,
  list: (names: readonly string[], more: number) =>
    `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  prices: 'Prices',
  unused: 'No price has an amount for this market.',
  usedBy: (count: number) =>
    plural(
      count,
      '1 price has an amount for this market.',
      `${count} prices have an amount for this market.`,
    ),
  changeText: 'Current subscribers keep the market they have. New customers get the change at once.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'Its countries belong to no market any more. This cannot be undone.',
  byPlan: 'Prices by market',
  plan: 'Plan',
  market: 'Market',
  price: 'Price',
};

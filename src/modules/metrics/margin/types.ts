import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { MetricGroup } from '../ranges/types.ts';
import type { Margin } from './compute-margin.ts';

export const MarginType = builder.objectRef<Margin>('Margin').implement({
  description: 'Price, cost, and margin of usage in one group and currency.',
  fields: (t) => ({
    group: t.member('group', MetricGroup).describe('Group of the usage. Features are identified by code.'),
    currency: t.member('currency', Currency).describe('Currency of the subscriptions.'),
    price: t
      .member('price', 'Decimal')
      .describe(
        'Exact price of the usage before discounts and tax, in the currency. Of metered usage in an open usage window, the provisional price. Of usage that deducts credits, the part of the paid price of the deducted credits.',
      ),
    cost: t
      .maybe('cost', 'Decimal')
      .describe('Exact cost of the usage, in the currency. `null` if the plan had no exchange rate.'),
    margin: t
      .maybe('margin', 'Decimal')
      .describe('Price minus cost, in the currency. `null` if `cost` is `null`.'),
    priceUsd: t
      .maybe('priceUsd', 'Decimal')
      .describe('Price in US dollars. `null` if the plan had no exchange rate.'),
    costUsd: t.member('costUsd', 'Decimal').describe('Exact cost in US dollars.'),
    marginUsd: t
      .maybe('marginUsd', 'Decimal')
      .describe('Price minus cost, in US dollars. `null` if `priceUsd` is `null`.'),
    isBelowCost: t.member('isBelowCost', 'Boolean').describe('Whether the price is lower than the cost.'),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe(
        'Whether the amounts include all events. `false` if too many events are waiting to be summed.',
      ),
  }),
});

restView(
  'Margin',
  'Margin',
  'group { key name } currency price cost margin priceUsd costUsd marginUsd isBelowCost isComplete',
);

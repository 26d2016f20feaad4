import type { FxSource as Source } from '../../../domain/metrics/conversion.ts';
import { builder } from '../../../graphql/reading/builder.ts';

const descriptions: { readonly [source in Source]: { readonly description: string } } = {
  manual: {
    description:
      'The organization set the rate, or the currency is the US dollar, which always has the rate 1.',
  },
  feed: { description: 'The rate was read from the exchange rate feed of the installation.' },
  settlement: {
    description: 'The rate is derived from the settled charges of the day and their value in US dollars.',
  },
  plan: {
    description: "The rate is the median exchange rate of the organization's plans at the end of the day.",
  },
};

export const FxSource = builder.enumType('FxSource', {
  description:
    'Source of an exchange rate. If several sources have a rate, the first source in this order applies: `manual`, `feed`, `settlement`, `plan`.',
  values: descriptions,
});

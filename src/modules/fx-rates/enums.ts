import type { FxSource as Source } from '../../domain/metrics/conversion.ts';
import { builder } from '../../graphql/builder.ts';

const descriptions: { readonly [source in Source]: { readonly description: string } } = {
  manual: { description: 'Set by the organization; that of US dollars is always 1.' },
  feed: { description: 'Read for the whole installation.' },
  settlement: { description: 'What the settled charges of the day brought in US dollars.' },
  plan: { description: "The median of the plans' exchange rates in force." },
};

export const FxSource = builder.enumType('FxSource', {
  description: 'Where an exchange rate comes from, the first of them that has one.',
  values: descriptions,
});

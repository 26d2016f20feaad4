import type { MetricInterval as Interval } from '../../../domain/metrics/range.ts';
import { builder } from '../../../graphql/reading/builder.ts';

const descriptions: { readonly [interval in Interval]: { readonly description: string } } = {
  day: { description: 'A day in UTC. Up to 1,100 points.' },
  week: { description: 'A week from Monday to Sunday. Up to 520 points.' },
  month: { description: 'A calendar month. Up to 120 points.' },
  quarter: { description: 'A quarter starting in January, April, July, or October. Up to 40 points.' },
  year: { description: 'A calendar year. Up to 10 points.' },
};

export const MetricInterval = builder.enumType('MetricInterval', {
  description: 'Length of time that each point in a series covers.',
  values: descriptions,
});

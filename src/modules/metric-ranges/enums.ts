import type { MetricInterval as Interval } from '../../domain/metrics/range.ts';
import { builder } from '../../graphql/builder.ts';

const descriptions: { readonly [interval in Interval]: { readonly description: string } } = {
  day: { description: 'A day in UTC; 1100 points at most.' },
  week: { description: 'A week from Monday to Sunday; 520 points at most.' },
  month: { description: 'A calendar month; 120 points at most.' },
  quarter: { description: 'Three calendar months, from January, April, July or October; 40 points at most.' },
  year: { description: 'A calendar year; 10 points at most.' },
};

export const MetricInterval = builder.enumType('MetricInterval', {
  description: 'The span of a point of a series.',
  values: descriptions,
});

import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { UsageTotal } from '../load-totals.ts';

export const UsageTotalType = builder.objectRef<UsageTotal>('UsageTotal').implement({
  description: 'Usage of a feature in the current usage window with the same dimension values.',
  fields: (t) => ({
    values: t
      .member('values', 'TextMap')
      .describe(
        'Value of each dimension. `other` stands for the values beyond the first 10,000 combinations.',
      ),
    total: t.member('total', 'SafeInt').describe('Total, rounded to whole units.'),
    quantity: t
      .maybe('quantity', 'Decimal')
      .describe('Exact total. `null` if the meter has no decimal places.'),
  }),
});

restView('UsageTotal', 'UsageTotal', 'values total quantity', {
  absentWhenUnset: ['quantity'],
  spread: 'values',
});

import { builder } from '../../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { MrrDimension, MrrReason } from '../enums.ts';

const most = { minItems: 1, maxItems: 50 } as const;

const MrrFilter = builder.inputType('MrrFilter', {
  description: 'Filter for recurring revenue. Revenue is included if it matches every field that you set.',
  fields: (t) => ({
    planIds: t.idList({ rule: most, description: 'IDs of the plans to include. From 1 to 50 values.' }),
    intervals: t.field({
      type: [BillingInterval],
      rule: most,
      description: 'Billing intervals to include. From 1 to 50 values.',
    }),
    countries: t.stringList({
      rule: { ...most, format: 'country' },
      description: 'Countries of the customers to include, as ISO 3166-1 alpha-2 codes. From 1 to 50 values.',
    }),
    currencies: t.field({
      type: [Currency],
      rule: most,
      description: 'Currencies to include. From 1 to 50 values.',
    }),
    excludeReasons: t.field({
      type: [MrrReason],
      rule: most,
      description:
        'Reasons of the movements to exclude from churn rates and the quick ratio. Excluded movements are still listed.',
    }),
  }),
});

export const mrrArgs = builder.args((t) => ({
  groupBy: t.field({ type: MrrDimension, description: 'Dimension to group by. Defaults to no grouping.' }),
  filter: t.field({
    type: MrrFilter,
    description: 'Filter for recurring revenue. Defaults to all recurring revenue.',
  }),
}));

export const retentionArgs = builder.args((t) => ({
  months: t.field({
    type: 'Int',
    rule: { minimum: 1, maximum: 24 },
    description:
      'Number of months between the earlier and the later month: 1, 3, 6, 12, or 24. Defaults to 12.',
  }),
}));

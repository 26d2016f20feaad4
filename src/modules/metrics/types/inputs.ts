import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { MrrDimension, MrrReason } from '../enums.ts';

const most = { minItems: 1, maxItems: 50 } as const;

const MrrFilter = builder.inputType('MrrFilter', {
  description: 'Which recurring revenue counts: what passes every member that is sent.',
  fields: (t) => ({
    planIds: t.idList({ rule: most, description: 'Of these plans.' }),
    intervals: t.field({ type: [BillingInterval], rule: most, description: 'Of plans billed so often.' }),
    countries: t.stringList({
      rule: { ...most, format: 'country' },
      description: 'Of customers in these countries: ISO 3166-1 alpha-2 codes.',
    }),
    currencies: t.field({ type: [Currency], rule: most, description: 'In these currencies.' }),
    excludeReasons: t.field({
      type: [MrrReason],
      rule: most,
      description: 'Movements for these reasons count in no rate. They stay among the movements.',
    }),
  }),
});

/** What recurring revenue is grouped by, and which of it counts. */
export const mrrArgs = builder.args((t) => ({
  groupBy: t.field({ type: MrrDimension, description: 'What to group by. Defaults to one group.' }),
  filter: t.field({ type: MrrFilter, description: 'What counts. Defaults to everything.' }),
}));

/** How many months retention looks back. */
export const retentionArgs = builder.args((t) => ({
  months: t.field({
    type: 'Int',
    rule: { minimum: 1, maximum: 24 },
    description: 'How many months lie between: 1, 3, 6, 12 or 24. Defaults to 12.',
  }),
}));

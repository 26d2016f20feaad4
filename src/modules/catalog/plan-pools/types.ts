import type { Rollover as RolloverValue } from '../../../domain/pricing/rollover.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { PoolOnEmpty } from './enums.ts';
import { loadPools, type PlanPool as PlanPoolValue } from './store.ts';

const Rollover = builder.objectRef<RolloverValue>('Rollover').implement({
  description: 'Rollover of unused credits or balance to later usage windows.',
  fields: (t) => ({
    windows: t
      .maybe('windows', 'Int')
      .describe(
        'Number of later usage windows in which an unused amount can be used. `null` if it never expires.',
      ),
    cap: t
      .maybe('cap', 'SafeInt')
      .describe(
        'Maximum sum of the amounts that were rolled over, in credits or in ten-thousandths of a US dollar (10,000 = 1.00). `null` if there is no maximum.',
      ),
  }),
});

export const PlanPool = builder.objectRef<PlanPoolValue>('PlanPool').implement({
  description: 'Credits or balance that a plan includes.',
  fields: (t) => ({
    asset: t.member('asset', 'String').describe('`credits`, or `usd` for a balance.'),
    includedPerWindow: t
      .maybe('includedPerWindow', 'SafeInt')
      .describe(
        'Amount that the default price includes per usage window, in credits or in ten-thousandths of a US dollar (10,000 = 1.00). `null` if the plan has no default price.',
      ),
    onEmpty: t
      .member('onEmpty', PoolOnEmpty)
      .describe('Effect of usage that exceeds the credits or balance.'),
    rollover: t
      .maybe('rollover', Rollover)
      .describe(
        'Rollover of unused amounts to later usage windows. `null` if unused amounts expire at the end of the usage window.',
      ),
  }),
});

builder.prismaObjectField('Plan', 'pools', (t) =>
  t.computed({
    type: [PlanPool],
    description: 'Credits or balance that the plan includes. Empty if the plan only counts units.',
    columns: ['id', 'consumptionModel', 'blockOnExhaustion', 'rollover'],
    resolve: (plan, _args, ctx) => loadPools(ctx, plan),
  }),
);

restView('PlanPool', 'PlanPool', 'asset includedPerWindow onEmpty rollover { windows cap }', {
  absentWhenUnset: ['rollover'],
});

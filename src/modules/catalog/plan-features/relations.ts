import { builder } from '../../../graphql/reading/builder.ts';
import { loadOfferedFeatures } from './load-offered.ts';
import { OfferedFeature } from './types.ts';

builder.prismaObjectField('PlanFeature', 'plan', (t) =>
  t.row('plan', { description: 'Plan that includes the feature.' }),
);

builder.prismaObjectFields('Plan', (t) => ({
  features: t.computed({
    type: [OfferedFeature],
    description: 'Features of the plan, in the order in which they were added.',
    columns: ['id', 'consumptionModel'],
    resolve: (plan, _args, ctx) => loadOfferedFeatures(ctx, plan),
  }),
  featureTerms: t.rows('features', {
    orderBy: 'seq',
    description: 'Features of the plan with all their terms, in the order in which they were added.',
  }),
}));

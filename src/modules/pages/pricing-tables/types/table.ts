import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { loadTable, tableUrl } from '../store.ts';

const PricingTablePlan = builder
  .objectRef<{ readonly planId: string; readonly text: string | null }>('PricingTablePlan')
  .implement({
    description: 'A plan that was selected for a pricing table.',
    fields: (t) => ({
      planId: t.member('planId', 'ID').describe('ID of the plan.'),
      text: t
        .maybe('text', 'String')
        .describe('Text that replaces the description of the plan. `null` if the description is shown.'),
    }),
  });

export const PricingTable = builder.prismaObject('PricingTable', {
  ...node({ prefix: 'ptb', load: loadTable }),
  description: 'A set of plans that visitors can purchase on a public page.',
  fields: (t) => ({
    ...t.columns('id', 'name', 'planGroupId'),
    plans: t.computed({
      type: [PricingTablePlan],
      description: 'Selected plans, in order. Empty if the table shows the plans of a plan group.',
      columns: ['plans'],
      resolve: ({ plans }) => [...plans],
    }),
    ...t.columns('highlightedPlanId'),
    intervals: t.computed({
      type: [BillingInterval],
      description:
        'Billing intervals to offer, shortest first. Empty if all intervals of the plans are offered.',
      columns: ['intervals'],
      resolve: ({ intervals }) => [...intervals],
    }),
    ...t.columns('signUpUrl', 'successUrl', 'isActive'),
    url: t.computed({
      type: 'String',
      description: 'URL of the public page. Never changes while the pricing table exists.',
      columns: ['id'],
      resolve: ({ id }, _args, ctx) => tableUrl(ctx, id),
    }),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('pricing_table'),
  }),
});

export const PricingTableConnection = connectionOf('PricingTable', PricingTable, 'pricing tables');

restView(
  'PricingTable',
  'PricingTable',
  'id name planGroupId plans { planId text } highlightedPlanId intervals signUpUrl successUrl isActive url createdAt updatedAt object livemode',
);

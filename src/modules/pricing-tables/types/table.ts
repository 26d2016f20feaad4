import { builder } from '../../../graphql/builder.ts';
import { node } from '../../../graphql/node.ts';
import { connectionOf } from '../../../graphql/pagination.ts';
import { restView } from '../../../graphql/rest.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { loadTable, tableUrl } from '../store.ts';

const PricingTablePlan = builder
  .objectRef<{ readonly planId: string; readonly text: string | null }>('PricingTablePlan')
  .implement({
    description: 'A plan that was chosen for a pricing table.',
    fields: (t) => ({
      planId: t.exposeID('planId', { description: 'Id of the plan.' }),
      text: t.exposeString('text', {
        nullable: true,
        description: 'Shown instead of the description of the plan; null for that.',
      }),
    }),
  });

export const PricingTable = builder.prismaObject('PricingTable', {
  ...node({ prefix: 'ptb', load: loadTable }),
  description: 'Plans on a page that anybody can open and buy from.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `ptb_…`.' }),
    name: t.exposeString('name', { description: 'Its heading.' }),
    planGroupId: t.exposeID('planGroupId', {
      nullable: true,
      description: 'The group whose public plans it shows; null where plans were chosen.',
    }),
    plans: t.computed({
      type: [PricingTablePlan],
      description: 'The plans that were chosen, in their order; empty where it shows those of a group.',
      columns: ['plans'],
      resolve: ({ plans }) => [...plans],
    }),
    highlightedPlanId: t.exposeID('highlightedPlanId', {
      nullable: true,
      description: 'The plan that is highlighted; null for none.',
    }),
    intervals: t.computed({
      type: [BillingInterval],
      description: 'The intervals it offers, the shortest first; empty for all the plans are sold in.',
      columns: ['intervals'],
      resolve: ({ intervals }) => [...intervals],
    }),
    signUpUrl: t.exposeString('signUpUrl', {
      nullable: true,
      description: 'Where a visitor signs up for a free plan; null for nowhere.',
    }),
    successUrl: t.exposeString('successUrl', {
      nullable: true,
      description: 'Where the checkout leads once it is completed; null to stay there.',
    }),
    isActive: t.exposeBoolean('isActive', { description: 'False shows nothing to anybody.' }),
    url: t.computed({
      type: 'String',
      description: 'The address of its page, the same as long as it exists. Anybody may know it.',
      columns: ['id'],
      resolve: ({ id }, _args, ctx) => tableUrl(ctx, id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    object: t.string({ description: 'Always `pricing_table`.', resolve: () => 'pricing_table' }),
    livemode: t.livemode(),
  }),
});

export const PricingTableConnection = connectionOf('PricingTable', PricingTable, 'pricing tables');

restView(
  'PricingTable',
  'PricingTable',
  'id name planGroupId plans { planId text } highlightedPlanId intervals signUpUrl successUrl isActive url createdAt updatedAt object livemode',
);

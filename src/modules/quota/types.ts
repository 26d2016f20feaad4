import { highWaterMark } from '../../domain/consumption/counts.ts';
import { overageUnits } from '../../domain/consumption/window.ts';
import { maxOf } from '../../domain/money.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadPageBy } from '../../graphql/loaders.ts';
import { connectionOf, pageArgs } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { Feature } from '../features/types.ts';
import { countEventFields, countEventType } from './count-event.ts';
import { type Allowance, loadAllowances } from './service.ts';

export const UsageQuotaEvent = countEventType('UsageQuotaEvent', {
  description: 'One change of a quota count; never changed and never removed.',
  prefix: 'qev',
  object: 'usage_quota_event',
  balance: 'Units held',
});

const UsageQuotaEventConnection = connectionOf('UsageQuotaEvent', UsageQuotaEvent, 'changes of a quota');

restView('UsageQuotaEvent', 'UsageQuotaEvent', countEventFields);

export const UsageQuota = builder.objectRef<Allowance>('UsageQuota').implement({
  description: 'How much of a quota feature a customer holds, and how much its plan includes (CON-50).',
  fields: (t) => ({
    featureCode: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    current: t.field({ type: 'SafeInt', description: 'Units held now.', resolve: ({ count }) => count.count }),
    included: t.field({ type: 'SafeInt', description: 'Units included in the plan.', resolve: ({ terms }) => terms.includedAmount }),
    remaining: t.field({
      type: 'SafeInt',
      description: 'Included units left; 0 and more, also when unlimited.',
      resolve: ({ terms, count }) => maxOf(0n, terms.includedAmount - count.count),
    }),
    billedQuantity: t.field({
      type: 'SafeInt',
      description: 'Units beyond the included ones at the highest count of the billing period; 0 when unlimited or none are sold.',
      resolve: ({ terms, count }) => overageUnits(terms, { total: highWaterMark(count), covered: 0n }),
    }),
    unlimited: t.boolean({ description: 'True without a limit.', resolve: ({ terms }) => terms.unlimited }),
    overageEnabled: t.boolean({
      description: 'Whether units beyond the included ones are sold at the moment; never on free plans and in trials (CON-3).',
      resolve: ({ terms }) => terms.allowsOverage,
    }),
    asOf: t.field({
      type: 'DateTime',
      description: 'Business time of the answer.',
      resolve: (_row, _args, context) => context.clock.now(),
    }),
    feature: t.field({
      type: Feature,
      description: 'What is counted.',
      resolve: ({ feature }, _args, context) => loadExistingRow(context, 'Feature', feature.id),
    }),
    events: t.field({
      type: UsageQuotaEventConnection,
      description: 'The changes of the count, also those under earlier subscriptions.',
      args: pageArgs(),
      resolve: ({ count: { customerId, featureId } }, args, context) =>
        loadPageBy(context, 'CountEvent', 'customerId', customerId, args, { featureId }),
    }),
    object: t.string({ description: 'Always `usage_quota`.', resolve: () => 'usage_quota' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_row, _args, context) => context.livemode }),
  }),
});

export const UsageQuotaConnection = builder.connectionObject(
  { name: 'UsageQuotaConnection', type: UsageQuota, description: 'A page of quota allowances, in order of their codes.' },
  { name: 'UsageQuotaEdge', description: 'One of the quota allowances and its place in the list.' },
);

restView('UsageQuota', 'UsageQuota', 'featureCode current included remaining billedQuantity unlimited overageEnabled asOf object livemode');

builder.prismaObjectField('Customer', 'quotas', (t) =>
  t.field({
    type: [UsageQuota],
    description: 'The quota allowances of its plan, in order of their codes; none without a subscription that gives access.',
    resolve: ({ id }, _args, context) => loadAllowances(context, id, 'quota'),
  }),
);

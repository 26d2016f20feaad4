import { maxOf } from '../../../domain/money/money.ts';
import { highWaterMark } from '../../../domain/usage/counts.ts';
import { overageUnits } from '../../../domain/usage/window.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { type Allowance, loadAllowances } from './store.ts';

/** Fields of seat and quota events in the REST API. */
export const countEventFields =
  'id customerId featureCode previousBalance newBalance ts createdAt object livemode';

/** Creates the GraphQL type of seat events or quota events, which have the same fields. */
export const countEventType = (
  name: string,
  words: {
    readonly description: string;
    readonly prefix: string;
    readonly object: string;
    readonly balance: string;
    readonly units: string;
  },
) =>
  builder.prismaObject('CountEvent', {
    ...node({ prefix: words.prefix }),
    variant: name,
    description: words.description,
    fields: (t) => ({
      id: t.column('id', { description: `Unique identifier. Starts with \`${words.prefix}_\`.` }),
      ...t.columns('customerId'),
      featureCode: t.fromRow('feature', {
        columns: ['code'],
        type: 'String',
        description: 'Code of the feature.',
        resolve: ({ code }) => code,
      }),
      previousBalance: t.column('previousBalance', { description: `${words.balance} before the change.` }),
      newBalance: t.column('newBalance', { description: `${words.balance} after the change.` }),
      ts: t.column('createdAt'),
      createdAt: t.column('createdAt', {
        description: "Time at which the event was recorded. In a sandbox, the test clock's time.",
      }),
      customer: t.row('customer', { description: `Customer whose number of ${words.units} changed.` }),
      feature: t.row('feature', { description: `Feature whose ${words.units} are counted.` }),
      ...t.resource(words.object),
    }),
  });

export const UsageQuotaEvent = countEventType('UsageQuotaEvent', {
  description: 'Change to a quota count. Quota events are never changed or deleted.',
  prefix: 'qev',
  object: 'usage_quota_event',
  balance: 'Number of units',
  units: 'units',
});

const UsageQuotaEventConnection = connectionOf('UsageQuotaEvent', UsageQuotaEvent, 'changes to a quota');

restView('UsageQuotaEvent', 'UsageQuotaEvent', countEventFields);

export const UsageQuota = builder.objectRef<Allowance>('UsageQuota').implement({
  description: "A customer's units of one quota feature, and the number of units that the plan includes.",
  fields: (t) => ({
    featureCode: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    current: t.field({
      type: 'SafeInt',
      description: 'Current number of units.',
      resolve: ({ count }) => count.count,
    }),
    included: t.field({
      type: 'SafeInt',
      description: 'Units included in the plan.',
      resolve: ({ terms }) => terms.includedAmount,
    }),
    remaining: t.field({
      type: 'SafeInt',
      description: 'Included units left. Never negative, even if the quota is unlimited.',
      resolve: ({ terms, count }) => maxOf(0n, terms.includedAmount - count.count),
    }),
    billedQuantity: t.field({
      type: 'SafeInt',
      description:
        "Number of billed units: the highest count in the billing period minus the included amount. 0 if the quota is unlimited or overage isn't sold.",
      resolve: ({ terms, count }) => overageUnits(terms, { total: highWaterMark(count), covered: 0n }),
    }),
    unlimited: t.boolean({
      description: 'Whether usage is unlimited.',
      resolve: ({ terms }) => terms.unlimited,
    }),
    overageEnabled: t.boolean({
      description: 'Whether overage is currently sold. Always `false` on free plans and in trials.',
      resolve: ({ terms }) => terms.allowsOverage,
    }),
    asOf: t.field({
      type: 'DateTime',
      description: "Time of the response. In a sandbox, the test clock's time.",
      resolve: (_row, _args, ctx) => ctx.clock.now(),
    }),
    feature: t.rowById('Feature', {
      id: ({ feature }) => feature.id,
      description: 'Feature whose units are counted.',
    }),
    events: t.pageBy('CountEvent', {
      type: UsageQuotaEventConnection,
      by: 'customerId',
      id: ({ count }) => count.customerId,
      where: ({ count: { featureId } }) => ({ featureId }),
      description: 'Changes to the quota count, including changes made during earlier subscriptions.',
    }),
    ...t.resource('usage_quota'),
  }),
});

export const UsageQuotaConnection = connectionOf(
  'UsageQuota',
  UsageQuota,
  'quotas',
  'sorted by feature code',
);

restView(
  'UsageQuota',
  'UsageQuota',
  'featureCode current included remaining billedQuantity unlimited overageEnabled asOf object livemode',
);

builder.prismaObjectField('Customer', 'quotas', (t) =>
  t.computed({
    type: [UsageQuota],
    description:
      "Quota allowances of the customer's plan, sorted by feature code. Empty if no subscription gives access.",
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadAllowances(ctx, id, 'quota'),
  }),
);

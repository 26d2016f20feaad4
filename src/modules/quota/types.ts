import { maxOf } from '../../domain/money.ts';
import { highWaterMark } from '../../domain/usage/counts.ts';
import { overageUnits } from '../../domain/usage/window.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { type Allowance, loadAllowances } from './store.ts';

/** What REST shows of an event of seats or quota. */
export const countEventFields =
  'id customerId featureCode previousBalance newBalance ts createdAt object livemode';

/** The type of the events of seats or of quota, which have the same fields. */
export const countEventType = (
  name: string,
  words: {
    readonly description: string;
    readonly prefix: string;
    readonly object: string;
    readonly balance: string;
  },
) =>
  builder.prismaObject('CountEvent', {
    ...node({ prefix: words.prefix }),
    variant: name,
    description: words.description,
    fields: (t) => ({
      id: t.exposeID('id', { description: `Our identifier, \`${words.prefix}_…\`.` }),
      customerId: t.exposeID('customerId', { description: 'Our id of the customer.' }),
      featureCode: t.fromRow('feature', {
        columns: ['code'],
        type: 'String',
        description: 'Code of the feature.',
        resolve: ({ code }) => code,
      }),
      previousBalance: t.expose('previousBalance', {
        type: 'SafeInt',
        description: `${words.balance} before.`,
      }),
      newBalance: t.expose('newBalance', { type: 'SafeInt', description: `${words.balance} after.` }),
      ts: t.expose('createdAt', { type: 'DateTime', description: 'Business time of the change.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of recording.' }),
      customer: t.row('customer', { description: 'Whose count it is.' }),
      feature: t.row('feature', { description: 'What is counted.' }),
      object: t.string({ description: `Always \`${words.object}\`.`, resolve: () => words.object }),
      livemode: t.livemode(),
    }),
  });

export const UsageQuotaEvent = countEventType('UsageQuotaEvent', {
  description: 'One change of a quota count; never changed and never removed.',
  prefix: 'qev',
  object: 'usage_quota_event',
  balance: 'Units held',
});

const UsageQuotaEventConnection = connectionOf('UsageQuotaEvent', UsageQuotaEvent, 'changes of a quota');

restView('UsageQuotaEvent', 'UsageQuotaEvent', countEventFields);

export const UsageQuota = builder.objectRef<Allowance>('UsageQuota').implement({
  description: 'How much of a quota feature a customer holds, and how much its plan includes.',
  fields: (t) => ({
    featureCode: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    current: t.field({
      type: 'SafeInt',
      description: 'Units held now.',
      resolve: ({ count }) => count.count,
    }),
    included: t.field({
      type: 'SafeInt',
      description: 'Units included in the plan.',
      resolve: ({ terms }) => terms.includedAmount,
    }),
    remaining: t.field({
      type: 'SafeInt',
      description: 'Included units left; 0 and more, also when unlimited.',
      resolve: ({ terms, count }) => maxOf(0n, terms.includedAmount - count.count),
    }),
    billedQuantity: t.field({
      type: 'SafeInt',
      description:
        'Units beyond the included ones at the highest count of the billing period; 0 when unlimited or none are sold.',
      resolve: ({ terms, count }) => overageUnits(terms, { total: highWaterMark(count), covered: 0n }),
    }),
    unlimited: t.boolean({ description: 'True without a limit.', resolve: ({ terms }) => terms.unlimited }),
    overageEnabled: t.boolean({
      description:
        'Whether units beyond the included ones are sold at the moment; never on free plans and in trials.',
      resolve: ({ terms }) => terms.allowsOverage,
    }),
    asOf: t.field({
      type: 'DateTime',
      description: 'Business time of the answer.',
      resolve: (_row, _args, ctx) => ctx.clock.now(),
    }),
    feature: t.rowById('Feature', { id: ({ feature }) => feature.id, description: 'What is counted.' }),
    events: t.pageBy('CountEvent', {
      type: UsageQuotaEventConnection,
      by: 'customerId',
      id: ({ count }) => count.customerId,
      where: ({ count: { featureId } }) => ({ featureId }),
      description: 'The changes of the count, also those under earlier subscriptions.',
    }),
    object: t.string({ description: 'Always `usage_quota`.', resolve: () => 'usage_quota' }),
    livemode: t.livemode(),
  }),
});

export const UsageQuotaConnection = connectionOf(
  'UsageQuota',
  UsageQuota,
  'quota allowances',
  'in order of their codes',
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
      'The quota allowances of its plan, in order of their codes; none without a subscription that gives access.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadAllowances(ctx, id, 'quota'),
  }),
);

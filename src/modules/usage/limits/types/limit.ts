import type {
  LimitChannel as Channel,
  CurrencyAmount,
  LimitDimension,
  LimitFilter,
  LimitShare,
  LimitThreshold,
  LimitWindow,
} from '../../../../domain/limits/limit.ts';
import { isShared } from '../../../../domain/limits/limit.ts';
import { thresholdsOf } from '../../../../domain/limits/thresholds.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { LimitChannel, LimitLastAmount, LimitRearm, LimitStatus, LimitWindowKind } from '../enums.ts';
import { loadStatus } from '../load-states.ts';
import { loadNodeCounts, mostCountedCrossings, type NodeCounts, type StoredLimit } from '../store.ts';
import { LimitAnomaly } from './anomaly.ts';

/** Scope of a limit in API format. */
type ScopeShape = Pick<StoredLimit, 'customerId' | 'budgetKey' | 'each' | 'planId' | 'apiKeyId' | 'memberId'>;

const LimitScopeIn = builder.objectRef<ScopeShape>('LimitScopeIn').implement({
  description: 'Customers to which a template applies. Exactly one field is set.',
  fields: (t) => ({
    organization: t.boolean({
      nullable: true,
      description: '`true` if the template applies to all customers. `null` otherwise.',
      resolve: ({ planId, customerId }) => (planId === null && customerId === null ? true : null),
    }),
    plan: t.id({
      nullable: true,
      description:
        "ID of the plan whose subscribers the template applies to. `null` if it isn't restricted to a plan.",
      resolve: ({ planId }) => planId,
    }),
    customer: t.id({
      nullable: true,
      description:
        "ID of the customer whose budgets the template applies to. `null` if it isn't restricted to a customer.",
      resolve: ({ customerId }) => customerId,
    }),
  }),
});

const LimitScope = builder.objectRef<ScopeShape>('LimitScope').implement({
  description:
    'Organization, plan, customer, budget, API key, or member to which a limit applies, or the nodes of a template.',
  fields: (t) => ({
    organization: t.boolean({
      nullable: true,
      description: '`true` if the limit applies to the usage of all customers together. `null` otherwise.',
      resolve: (scope) => (isShared(scope) && scope.planId === null ? true : null),
    }),
    plan: t.id({
      nullable: true,
      description:
        'ID of the plan to whose subscribers the limit applies together. `null` if the limit has another scope.',
      resolve: (scope) => (isShared(scope) ? scope.planId : null),
    }),
    customer: t.id({
      nullable: true,
      description: 'ID of the customer. `null` if the limit has another scope.',
      resolve: ({ customerId, each }) => (each === null ? customerId : null),
    }),
    budget: t.string({
      nullable: true,
      description: 'Key of the budget. `null` if the limit has another scope.',
      resolve: ({ budgetKey }) => budgetKey,
    }),
    apiKey: t.id({
      nullable: true,
      description:
        'ID of the API key whose operations the limit counts. `null` if the limit has another scope.',
      resolve: ({ apiKeyId }) => apiKeyId,
    }),
    member: t.id({
      nullable: true,
      description:
        'ID of the member whose operations the limit counts. `null` if the limit has another scope.',
      resolve: ({ memberId }) => memberId,
    }),
    each: t.string({
      nullable: true,
      description:
        "Type of the nodes: `customer`, the first part of the keys of budgets, such as `team`, or `apiKey` or `member` for limits on operations. `null` if the limit isn't a template.",
      resolve: ({ each }) => each,
    }),
    in: t.field({
      type: LimitScopeIn,
      nullable: true,
      description: "Customers to which the template applies. `null` if the limit isn't a template.",
      resolve: (scope) => (scope.each === null ? null : scope),
    }),
  }),
});

const LimitDimensionType = builder.objectRef<LimitDimension>('LimitDimension').implement({
  description: 'Values of a property of usage events.',
  fields: (t) => ({
    property: t.member('property', 'String').describe('Name of the property.'),
    values: t.stringList({ description: 'Values that are counted.', resolve: ({ values }) => [...values] }),
  }),
});

const LimitFilterType = builder.objectRef<LimitFilter>('LimitFilter').implement({
  description: 'Usage that a limit counts. All parts must match.',
  fields: (t) => ({
    features: t.stringList({
      description: 'Codes of the features. Empty if all features are counted.',
      resolve: ({ features }) => [...features],
    }),
    dimensions: t.field({
      type: [LimitDimensionType],
      description: 'Properties of the events. Empty if all events are counted.',
      resolve: ({ dimensions }) => [...dimensions],
    }),
    operations: t.field({
      type: ['String'],
      nullable: true,
      description:
        'Operations that are counted instead of usage: names of mutations and areas for API keys and members, or operations of customers. Empty if all operations are counted. `null` if the limit counts usage.',
      resolve: ({ operations }) => (operations === undefined ? null : [...operations]),
    }),
  }),
});

const LimitWindowType = builder.objectRef<LimitWindow>('LimitWindow').implement({
  description: 'Time over which a limit sums usage.',
  fields: (t) => ({
    kind: t.member('kind', LimitWindowKind).describe('Kind of the window.'),
    minutes: t.maybe('minutes', 'Int').describe('Length in minutes. `null` if the kind has no fixed length.'),
    steps: t
      .maybe('steps', 'Int')
      .describe(
        'Number of steps of a `rolling` window. `null` if the default of 60 applies, or for other kinds.',
      ),
    anchor: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time from which `fixed` windows are counted. `null` if the window has another kind.',
      resolve: ({ anchor }) => anchor,
    }),
    timeZone: t
      .maybe('timeZone', 'String')
      .describe(
        "Time zone of a calendar window. `null` if the customer's time zone applies, or for other kinds.",
      ),
    weekStart: t
      .maybe('weekStart', 'Int')
      .describe(
        'First day of a `week`, from 1 (Monday). `null` if weeks start on Monday, or for other kinds.',
      ),
  }),
});

const LimitThresholdType = builder.objectRef<LimitThreshold>('LimitThreshold').implement({
  description: 'Value at which an event is sent.',
  fields: (t) => ({
    amount: t
      .maybe('amount', 'SafeInt')
      .describe("Value in the unit of the limit's amount. `null` if `bps` is set."),
    bps: t
      .maybe('bps', 'Int')
      .describe(
        "Basis points of the limit's amount, or of the number in `of` (10,000 = 100%). `null` if `amount` is set.",
      ),
    of: t.field({
      type: LimitLastAmount,
      nullable: true,
      description: "Number of which `bps` is a share. `null` if it's the limit's amount.",
      resolve: ({ of }) => of ?? null,
    }),
    rearm: t.member('rearm', LimitRearm).describe('Time from which the threshold can be crossed again.'),
  }),
});

const LimitShareType = builder.objectRef<LimitShare>('LimitShare').implement({
  description: 'Share of another number as the amount of a limit.',
  fields: (t) => ({
    bps: t.member('bps', 'Int').describe('Basis points of the number (10,000 = 100%).'),
    of: t
      .member('of', 'String')
      .describe('`included`, `last_grant`, `last_refill`, or the ID of the limit whose amount is shared.'),
  }),
});

const LimitCurrencyAmount = builder.objectRef<CurrencyAmount>('LimitCurrencyAmount').implement({
  description: 'Amount of a limit in a currency.',
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      description: 'Currency of the amount.',
      resolve: ({ currency }) => currency as typeof Currency.$inferType,
    }),
    amount: t.member('amount', 'SafeInt').describe('Maximum in the smallest currency unit.'),
  }),
});

const LimitNodeCounts = builder.objectRef<NodeCounts>('LimitNodeCounts').implement({
  description: 'Numbers of customers and budgets whose usage is close to the amount of a limit.',
  fields: (t) => ({
    near: t
      .member('near', 'Int')
      .describe('Number of customers and budgets that crossed a threshold of 80% or more, or the amount.'),
    reached: t
      .member('reached', 'Int')
      .describe('Number of customers and budgets that reached the amount, or whose usage was rejected.'),
  }),
});

export const Limit = builder.prismaObject('Limit', {
  ...node({ prefix: 'lim' }),
  description:
    'Limit on usage of a customer, a budget, a plan, or the organization, or a template that applies to each of several customers or budgets.',
  fields: (t) => ({
    ...t.columns('id', 'name'),
    scope: t.computed({
      type: LimitScope,
      description:
        'Organization, plan, customer, or budget to which the limit applies, or the nodes of a template.',
      columns: ['customerId', 'budgetKey', 'each', 'planId', 'apiKeyId', 'memberId'],
      resolve: (limit) => limit,
    }),
    customer: t.row('customer', {
      description:
        'Customer to whose usage the limit is restricted. `null` if the limit applies to several customers.',
    }),
    plan: t.row('plan', {
      description: 'Plan to whose subscribers the limit is restricted. `null` otherwise.',
    }),
    measure: t.column('measure'),
    currency: t.computed({
      type: Currency,
      nullable: true,
      description: "Currency of the amount. `null` if the amount isn't money.",
      columns: ['currency'],
      resolve: ({ currency }) => currency as typeof Currency.$inferType | null,
    }),
    asset: t.column('asset'),
    filter: t.computed({
      type: LimitFilterType,
      description: 'Usage that the limit counts.',
      columns: ['filter'],
      resolve: ({ filter }) => filter,
    }),
    window: t.computed({
      type: LimitWindowType,
      description: 'Time over which usage is summed.',
      columns: ['window'],
      resolve: ({ window }) => window,
    }),
    ...t.columns('amount', 'action', 'notifyResolved'),
    channels: t.computed({
      type: [LimitChannel],
      description: 'Ways in which crossings are reported.',
      columns: ['channels'],
      resolve: ({ channels }) => channels as Channel[],
    }),
    recipients: t.computed({
      type: ['String'],
      description:
        'Email addresses for `merchant_email`. Empty if the notification recipient of the organization receives the emails.',
      columns: ['recipients'],
      resolve: ({ recipients }) => [...recipients],
    }),
    amounts: t.computed({
      type: [LimitCurrencyAmount],
      nullable: true,
      description: 'Amounts per currency. `null` unless the limit has amounts per currency.',
      columns: ['amounts'],
      resolve: ({ amounts }) => (amounts.length === 0 ? null : [...amounts]),
    }),
    share: t.computed({
      type: LimitShareType,
      nullable: true,
      description: 'Share of another number that determines the amount. `null` unless the amount is a share.',
      columns: ['share'],
      resolve: ({ share }) => share,
    }),
    thresholds: t.computed({
      type: [LimitThresholdType],
      description: 'Values at which events are sent, ascending.',
      columns: ['measure', 'action', 'window', 'thresholds'],
      resolve: (limit) => [...thresholdsOf(limit)],
    }),
    anomaly: t.computed({
      type: LimitAnomaly,
      nullable: true,
      description: "Unusual values of a day that are reported. `null` if they aren't reported.",
      columns: ['anomaly'],
      resolve: ({ anomaly }) => anomaly,
    }),
    ...t.columns(
      'replaces',
      'includesPastUsage',
      'setBy',
      'validFrom',
      'validUntil',
      'createdAt',
      'updatedAt',
    ),
    status: t.computed({
      type: LimitStatus,
      description: 'Status of the limit.',
      columns: ['id', 'customerId', 'each', 'apiKeyId', 'memberId'],
      resolve: (limit, _args, ctx) => loadStatus(ctx, limit),
    }),
    nodeCounts: t.computed({
      type: LimitNodeCounts,
      description: `Numbers of customers and budgets whose usage is close to the amount in their current windows, from the last ${mostCountedCrossings.toLocaleString('en')} crossings.`,
      columns: ['id'],
      resolve: ({ id }, _args, ctx) => loadNodeCounts(ctx, id),
    }),
    ...t.resource('limit'),
  }),
});

export const LimitConnection = connectionOf('Limit', Limit, 'limits');

restView(
  'Limit',
  'Limit',
  `id name scope { organization plan customer budget apiKey member each in { organization plan customer } } measure currency asset
  filter { features dimensions { property values } operations } window { kind minutes steps anchor timeZone weekStart }
  amount amounts { currency amount } share { bps of } action channels recipients thresholds { amount bps of rearm } notifyResolved anomaly { factor minimum } replaces includesPastUsage status setBy validFrom validUntil createdAt updatedAt object livemode`,
  {
    absentWhenUnset: [
      'filter.operations',
      'scope.organization',
      'scope.plan',
      'scope.apiKey',
      'scope.member',
      'amounts',
      'share',
      'thresholds.of',
      'notifyResolved',
      'anomaly',
      'includesPastUsage',
    ],
  },
);

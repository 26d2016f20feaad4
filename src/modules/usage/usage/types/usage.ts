import type { Uncounted } from '../../../../domain/holds/hold.ts';
import { decimalText } from '../../../../domain/money/amount-text.ts';
import { unitNumber } from '../../../../domain/usage/contract-view.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import type { Row } from '../../../../platform/db/rows.ts';
import { loadFeatureCode } from '../../../catalog/features/store.ts';
import { PrepaidModel } from '../../../subscriptions/purchases/enums.ts';
import { loadBudgetKey } from '../../budgets/store.ts';
import { UsageLevelKind, UsageOutcome } from '../enums.ts';
import type { UsageEventShape } from '../track.ts';
import { UsageThrottle } from './throttle.ts';
import { TokenCost } from './token-cost.ts';

type PropertyShape = { readonly property: string; readonly value: string };

export const UsageProperty = builder.objectRef<PropertyShape>('UsageProperty').implement({
  description: 'Custom property of a usage event.',
  fields: (t) => ({
    property: t.member('property', 'String').describe('Name of the property.'),
    value: t.member('value', 'String').describe('Value of the property.'),
  }),
});

/** Returns an amount of an event as a number: whole credits, money at rate scale, or units with the decimals of the custom unit. */
const shownAmount = ({ decimals }: UsageEventShape, amount: bigint | null): number =>
  unitNumber(amount ?? 0n, decimals ?? 0);

type ConsumptionShape = { readonly event: UsageEventShape; readonly model: 'credits' | 'balance' };

const UsageEventConsumption = builder.objectRef<ConsumptionShape>('UsageEventConsumption').implement({
  description: "Amount that a usage event deducted from the subscription's credits or prepaid balance.",
  fields: (t) => ({
    model: t.member('model', PrepaidModel).describe('Type of balance that the event was deducted from.'),
    deducted: t.float({
      description:
        'Deducted credits, or deducted amount in ten-thousandths of the currency unit (10,000 = 1.00). A whole number, except for a custom unit with decimals.',
      resolve: ({ event }) => shownAmount(event, event.deducted),
    }),
    remaining: t.float({
      description:
        'Credits left after the event, or the balance left in ten-thousandths of the currency unit (10,000 = 1.00). A whole number, except for a custom unit with decimals.',
      resolve: ({ event }) => shownAmount(event, event.remaining),
    }),
    asset: t.string({
      nullable: true,
      description: 'Code of the custom unit. `null` if the event used credits or a balance.',
      resolve: ({ event }) => event.asset,
    }),
    blocked: t.boolean({
      description: "`true` if the remaining credits or balance don't cover another unit.",
      resolve: ({ event }) => event.isBlocked ?? false,
    }),
  }),
});

/** Returns the effect of an event on the credits or balance of the subscription. */
const outcomeOf = ({
  consumptionModel,
  isBlocked,
}: Pick<UsageEventShape, 'consumptionModel' | 'isBlocked'>): typeof UsageOutcome.$inferType =>
  consumptionModel === 'metered' ? 'metered' : isBlocked === true ? 'exhausted' : 'deducted';

const UncountedUsage = builder.objectRef<Uncounted>('UncountedUsage').implement({
  description: "Part of a usage event that isn't charged.",
  fields: (t) => ({
    quantity: t
      .member('quantity', 'Decimal')
      .describe('Quantity that totals exclude. 0 for AI models, whose totals include all tokens.'),
    amount: t
      .member('amount', 'Decimal')
      .describe('Price of the usage in major units of the currency, or in the custom unit.'),
  }),
});

export const UsageEvent = builder.objectRef<UsageEventShape>('UsageEvent').implement({
  ...node({ prefix: 'evt', model: 'UsageEvent' }),
  description:
    "Recorded usage of a feature. Usage events are never changed. They're deleted only if a retention period is set.",
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `evt_`.'),
    featureCode: t.string({
      description: 'Code of the feature that was used.',
      resolve: ({ featureCode, featureId }, _args, ctx) => featureCode ?? loadFeatureCode(ctx, featureId),
    }),
    value: t
      .member('value', 'SafeInt')
      .describe(
        'Number of units used, rounded to a whole number. For AI models, the sum of input and output tokens.',
      ),
    quantity: t
      .maybe('quantity', 'Decimal')
      .describe("Exact number of units used. `null` if the feature's meter has no decimal places."),
    customerId: t.member('customerId', 'ID').describe('ID of the customer.'),
    eventId: t
      .maybe('eventId', 'String')
      .describe("Identifier that you assigned to the event. `null` if you didn't assign an identifier."),
    ts: t.member('ts', 'DateTime').describe('Time of the event, as sent in the request.'),
    windowStart: t
      .member('windowStart', 'DateTime')
      .describe('Start of the usage window that includes the event.'),
    createdAt: t
      .member('createdAt', 'DateTime')
      .describe("Time at which the event was recorded. In a sandbox, the test clock's time."),
    properties: t.member('properties', [UsageProperty]).describe('Custom properties of the event.'),
    model: t.maybe('model', 'String').describe('AI model. `null` if the event counts units.'),
    tokenCost: t
      .maybe('tokenCost', TokenCost)
      .describe('Cost of the tokens. `null` if the event counts units.'),
    consumption: t.field({
      type: UsageEventConsumption,
      nullable: true,
      description: 'Amount deducted from credits or a prepaid balance. `null` if the plan is metered.',
      resolve: (event) =>
        event.consumptionModel === 'metered' ? null : { event, model: event.consumptionModel },
    }),
    outcome: t.field({
      type: UsageOutcome,
      description: "Effect of the event on the subscription's credits or balance.",
      resolve: outcomeOf,
    }),
    customer: t.rowById('Customer', { id: 'customerId', description: 'Customer that used the feature.' }),
    budget: t.rowById('Budget', {
      id: 'budgetId',
      nullable: true,
      description: 'Budget of the usage. `null` if the event was recorded without a budget.',
    }),
    budgetKey: t.string({
      nullable: true,
      description: 'Key of the budget of the usage. `null` if the event was recorded without a budget.',
      resolve: ({ budgetKey, budgetId }, _args, ctx) =>
        budgetKey === undefined ? loadBudgetKey(ctx, budgetId) : budgetKey,
    }),
    throttle: t.field({
      type: UsageThrottle,
      nullable: true,
      description:
        'Delay that a limit asks for. Returned only when the event is recorded, and `null` if no limit with the action `throttle` counts the usage.',
      resolve: ({ throttle }) => throttle ?? null,
    }),
    feature: t.rowById('Feature', { id: 'featureId', description: 'Feature that was used.' }),
    hold: t.id({
      nullable: true,
      description: 'ID of the hold that the event settles. `null` if the event settles no hold.',
      resolve: ({ hold }) => hold?.id,
    }),
    sourceEventId: t
      .maybe('sourceEventId', 'ID')
      .describe(
        'ID of the event of another feature that this event counts. `null` if the event was recorded for its own feature.',
      ),
    kind: t
      .maybe('levelKind', UsageLevelKind)
      .describe(
        "Effect of the event on the customer's level of the feature. `null` unless the feature's meter has `persists`.",
      ),
    level: t.field({
      type: 'Decimal',
      nullable: true,
      description: "Level after the event was recorded. `null` unless the feature's meter has `persists`.",
      resolve: ({ level, quantity }) =>
        level === null ? null : decimalText(level, quantity?.split('.')[1]?.length ?? 0),
    }),
    isLate: t.boolean({
      nullable: true,
      description:
        'Whether the hold had expired before the event settled it. `null` if the event settles no hold.',
      resolve: ({ hold }) => hold?.isLate,
    }),
    uncounted: t.field({
      type: UncountedUsage,
      nullable: true,
      description:
        "Part of the usage that isn't charged because the hold didn't reserve it. `null` if all usage is charged.",
      resolve: ({ hold }) => hold?.uncounted,
    }),
    ...t.resource('usage_event'),
  }),
});

export const UsageEventConnection = connectionOf('UsageEvent', UsageEvent, 'usage events');

export const usageEventFields = `id featureCode value quantity customerId eventId ts createdAt properties { property value }
  consumption { model deducted remaining blocked asset } budget: budgetKey throttle { limitId delayMs } hold sourceEventId kind level isLate uncounted { quantity amount } object livemode`;

restView('UsageEvent', 'UsageEvent', usageEventFields, {
  absentWhenUnset: [
    'quantity',
    'consumption',
    'consumption.asset',
    'budget',
    'throttle',
    'hold',
    'sourceEventId',
    'kind',
    'level',
    'isLate',
    'uncounted',
  ],
});

/** Result for one event of a batch, with the error if the event was rejected. */
type BatchResultShape = {
  readonly index: number;
  readonly event: UsageEventShape | null;
  readonly code: string | null;
  readonly error: string | null;
  readonly details: unknown;
};

const UsageBatchResult = builder.objectRef<BatchResultShape>('UsageBatchResult').implement({
  description: 'Result for one event in a batch.',
  fields: (t) => ({
    index: t.member('index', 'Int').describe('Position of the event in the batch, starting at 0.'),
    event: t.maybe('event', UsageEvent).describe('Recorded event. `null` if the event was rejected.'),
    code: t
      .maybe('code', 'String')
      .describe('Error code of the rejection. `null` if the event was recorded.'),
    error: t
      .maybe('error', 'String')
      .describe('Error message of the rejection. `null` if the event was recorded.'),
    details: t
      .maybe('details', 'Json')
      .describe(
        'Details of the rejection, such as the limits that reject the event. `null` if the event was recorded, or if the rejection has no `reason` and no `limits`.',
      ),
  }),
});

export type UsageBatchShape = { readonly results: readonly BatchResultShape[] };

export const UsageBatch = builder.objectRef<UsageBatchShape>('UsageBatch').implement({
  description: 'Results of recording a batch of usage events, in the order of the events.',
  fields: (t) => ({
    results: t.member('results', [UsageBatchResult]).describe('One result per event.'),
    recorded: t.int({
      description: 'Number of recorded events.',
      resolve: ({ results }) => results.filter(({ event }) => event !== null).length,
    }),
    ...t.resource('usage_event_batch'),
  }),
});

restView(
  'UsageBatch',
  'UsageBatch',
  `results { index event { ${usageEventFields} } code error details } recorded object livemode`,
  {
    absentWhenUnset: [
      'results.event.quantity',
      'results.event.consumption',
      'results.event.consumption.asset',
      'results.event.budget',
      'results.event.throttle',
      'results.event.hold',
      'results.event.sourceEventId',
      'results.event.kind',
      'results.event.level',
      'results.event.isLate',
      'results.event.uncounted',
      'results.event',
      'results.code',
      'results.error',
      'results.details',
    ],
  },
);

type AdjustmentShape = Omit<Row<'UsageAdjustment'>, 'environmentId' | 'seq'>;

export const UsageAdjustment = builder.objectRef<AdjustmentShape>('UsageAdjustment').implement({
  ...node({ prefix: 'uad', model: 'UsageAdjustment' }),
  description: "Adjustment that replaced a feature's usage total for one usage window.",
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `uad_`.'),
    value: t.member('value', 'SafeInt').describe('Usage total after the adjustment.'),
    previousValue: t.member('previousValue', 'SafeInt').describe('Usage total before the adjustment.'),
    adjustment: t.field({
      type: 'SafeInt',
      description: 'Difference between the new and the previous total. Negative if the total was lowered.',
      resolve: (row) => row.value - row.previousValue,
    }),
    customerId: t.member('customerId', 'ID').describe('ID of the customer.'),
    featureCode: t.string({
      description: 'Code of the feature.',
      resolve: ({ featureId }, _args, ctx) => loadFeatureCode(ctx, featureId),
    }),
    reason: t.maybe('reason', 'String').describe('Reason for the adjustment. `null` if no reason was given.'),
    ts: t
      .member('createdAt', 'DateTime')
      .describe(
        'Time from which the adjustment applies. Always the time at which the adjustment was recorded.',
      ),
    createdAt: t
      .member('createdAt', 'DateTime')
      .describe("Time at which the adjustment was recorded. In a sandbox, the test clock's time."),
    ...t.resource('usage_adjustment'),
  }),
});

restView(
  'UsageAdjustment',
  'UsageAdjustment',
  'id value previousValue adjustment customerId reason ts createdAt featureCode object livemode',
);

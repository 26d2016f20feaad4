import type { StoredTokenCost } from '../../../../domain/usage/record.ts';
import { readTokenCost } from '../../../../engine/usage/token-cost.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import type { Row } from '../../../../platform/db/rows.ts';
import { loadFeatureCode } from '../../../catalog/features/store.ts';
import { PrepaidModel } from '../../../subscriptions/purchases/enums.ts';
import { UsageOutcome } from '../enums.ts';
import type { UsageEventShape } from '../track.ts';

type PropertyShape = { readonly property: string; readonly value: string };

const UsageProperty = builder.objectRef<PropertyShape>('UsageProperty').implement({
  description: 'Custom property of a usage event.',
  fields: (t) => ({
    property: t.exposeString('property', { description: 'Name of the property.' }),
    value: t.exposeString('value', { description: 'Value of the property.' }),
  }),
});

type ConsumptionShape = { readonly event: UsageEventShape; readonly model: 'credits' | 'balance' };

const UsageEventConsumption = builder.objectRef<ConsumptionShape>('UsageEventConsumption').implement({
  description: "Deduction for a usage event from the subscription's credits or prepaid balance.",
  fields: (t) => ({
    model: t.expose('model', {
      type: PrepaidModel,
      description: 'Type of balance that the event was deducted from.',
    }),
    deducted: t.field({
      type: 'SafeInt',
      description:
        'Deducted credits, or deducted amount in ten-thousandths of the currency unit (10,000 = 1.00).',
      resolve: ({ event }) => event.deducted ?? 0n,
    }),
    remaining: t.field({
      type: 'SafeInt',
      description:
        'Credits left after the event, or the balance left in ten-thousandths of the currency unit (10,000 = 1.00).',
      resolve: ({ event }) => event.remaining ?? 0n,
    }),
    blocked: t.boolean({
      description: "`true` if the remaining credits or balance don't cover another unit.",
      resolve: ({ event }) => event.isBlocked ?? false,
    }),
  }),
});

const TokenCost = builder.objectRef<StoredTokenCost>('UsageTokenCost').implement({
  description:
    "Cost of an AI model's tokens, in ten-thousandths of a US dollar (10,000 = 1.00). The cost of each token class is rounded up.",
  fields: (t) => ({
    inputTokens: t.field({
      type: 'SafeInt',
      description: 'Number of input tokens, including cached tokens.',
      resolve: ({ tokens }) => tokens.input,
    }),
    outputTokens: t.field({
      type: 'SafeInt',
      description: 'Number of output tokens.',
      resolve: ({ tokens }) => tokens.output,
    }),
    cacheReadTokens: t.field({
      type: 'SafeInt',
      description: 'Number of input tokens read from a cache.',
      resolve: ({ tokens }) => tokens.cacheRead,
    }),
    cacheWriteTokens: t.field({
      type: 'SafeInt',
      description: 'Number of input tokens written to a cache.',
      resolve: ({ tokens }) => tokens.cacheWrite,
    }),
    inputCost: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Cost of uncached input tokens, in ten-thousandths of a US dollar (10,000 = 1.00).',
      resolve: ({ cost }) => cost.input,
    }),
    cacheReadCost: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Cost of cache-read tokens, in ten-thousandths of a US dollar (10,000 = 1.00).',
      resolve: ({ cost }) => cost.cacheRead,
    }),
    cacheWriteCost: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Cost of cache-write tokens, in ten-thousandths of a US dollar (10,000 = 1.00).',
      resolve: ({ cost }) => cost.cacheWrite,
    }),
    outputCost: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Cost of output tokens, in ten-thousandths of a US dollar (10,000 = 1.00).',
      resolve: ({ cost }) => cost.output,
    }),
    margin: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Margin on the sum of all costs, in ten-thousandths of a US dollar (10,000 = 1.00).',
      resolve: ({ cost }) => cost.margin,
    }),
    total: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Total of all costs and the margin, in ten-thousandths of a US dollar (10,000 = 1.00).',
      resolve: ({ cost }) => cost.total,
    }),
    priceVersion: t.exposeString('version', {
      description: 'Version of the model prices that determined the cost.',
    }),
  }),
});

/** Returns the effect of an event on the credits or balance of the subscription. */
const outcomeOf = ({
  consumptionModel,
  isBlocked,
}: Pick<UsageEventShape, 'consumptionModel' | 'isBlocked'>): typeof UsageOutcome.$inferType =>
  consumptionModel === 'metered' ? 'metered' : isBlocked === true ? 'exhausted' : 'deducted';

export const UsageEvent = builder.objectRef<UsageEventShape>('UsageEvent').implement({
  ...node({ prefix: 'evt', model: 'UsageEvent' }),
  description:
    "Recorded usage of a feature. Usage events are never changed. They're deleted only if a retention period is set.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier. Starts with `evt_`.' }),
    featureCode: t.string({
      description: 'Code of the feature that was used.',
      resolve: ({ featureCode, featureId }, _args, ctx) => featureCode ?? loadFeatureCode(ctx, featureId),
    }),
    value: t.expose('value', {
      type: 'SafeInt',
      description: 'Units used. For AI models, the sum of input and output tokens.',
    }),
    customerId: t.exposeID('customerId', { description: 'ID of the customer.' }),
    eventId: t.exposeString('eventId', {
      nullable: true,
      description: "Identifier that you assigned to the event. `null` if you didn't assign an identifier.",
    }),
    ts: t.expose('ts', { type: 'DateTime', description: 'Time of the event, as sent in the request.' }),
    windowStart: t.expose('windowStart', {
      type: 'DateTime',
      description: 'Start of the usage window that includes the event.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: "Time at which the event was recorded. In a sandbox, the test clock's time.",
    }),
    properties: t.field({
      type: [UsageProperty],
      description: 'Custom properties of the event.',
      resolve: ({ properties }) => properties,
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'AI model. `null` if the event counts units.',
    }),
    tokenCost: t.field({
      type: TokenCost,
      nullable: true,
      description: 'Cost of the tokens. `null` if the event counts units.',
      resolve: ({ tokenCost }) => readTokenCost(tokenCost),
    }),
    consumption: t.field({
      type: UsageEventConsumption,
      nullable: true,
      description: 'Deduction from credits or a prepaid balance. `null` on metered plans.',
      resolve: (event) =>
        event.consumptionModel === 'metered' ? null : { event, model: event.consumptionModel },
    }),
    outcome: t.field({
      type: UsageOutcome,
      description: 'Effect of the event on the credits or balance of the subscription.',
      resolve: outcomeOf,
    }),
    customer: t.rowById('Customer', { id: 'customerId', description: 'Customer that used the feature.' }),
    feature: t.rowById('Feature', { id: 'featureId', description: 'Feature that was used.' }),
    object: t.string({ description: 'Always `usage_event`.', resolve: () => 'usage_event' }),
    livemode: t.livemode(),
  }),
});

export const UsageEventConnection = connectionOf('UsageEvent', UsageEvent, 'usage events');

const usageEventFields = `id featureCode value customerId eventId ts createdAt properties { property value }
  consumption { model deducted remaining blocked } object livemode`;

restView('UsageEvent', 'UsageEvent', usageEventFields, { absentWhenNull: ['consumption'] });

/** Result for one event of a batch, with the error if the event was rejected. */
type BatchResultShape = {
  readonly index: number;
  readonly event: UsageEventShape | null;
  readonly code: string | null;
  readonly error: string | null;
};

export const UsageBatchResult = builder.objectRef<BatchResultShape>('UsageBatchResult').implement({
  description: 'Result for one event in a batch.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Position of the event in the batch, starting at 0.' }),
    event: t.field({
      type: UsageEvent,
      nullable: true,
      description: 'Recorded event. `null` if the event was rejected.',
      resolve: ({ event }) => event,
    }),
    code: t.exposeString('code', {
      nullable: true,
      description: 'Error code of the rejection. `null` if the event was recorded.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Error message of the rejection. `null` if the event was recorded.',
    }),
  }),
});

export type UsageBatchShape = { readonly results: readonly BatchResultShape[] };

export const UsageBatch = builder.objectRef<UsageBatchShape>('UsageBatch').implement({
  description: 'Results of recording a batch of usage events, in the order of the events.',
  fields: (t) => ({
    results: t.field({
      type: [UsageBatchResult],
      description: 'One result per event.',
      resolve: ({ results }) => results,
    }),
    recorded: t.int({
      description: 'Number of recorded events.',
      resolve: ({ results }) => results.filter(({ event }) => event !== null).length,
    }),
    object: t.string({ description: 'Always `usage_event_batch`.', resolve: () => 'usage_event_batch' }),
    livemode: t.livemode(),
  }),
});

restView(
  'UsageBatch',
  'UsageBatch',
  `results { index event { ${usageEventFields} } code error } recorded object livemode`,
  {
    absentWhenNull: ['results.event.consumption', 'results.event', 'results.code', 'results.error'],
  },
);

type AdjustmentShape = Omit<Row<'UsageAdjustment'>, 'environmentId' | 'seq'>;

export const UsageAdjustment = builder.objectRef<AdjustmentShape>('UsageAdjustment').implement({
  ...node({ prefix: 'uad', model: 'UsageAdjustment' }),
  description: 'Usage adjustment that replaced the usage total of a usage window.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier. Starts with `uad_`.' }),
    value: t.expose('value', { type: 'SafeInt', description: 'Usage total after the adjustment.' }),
    previousValue: t.expose('previousValue', {
      type: 'SafeInt',
      description: 'Usage total before the adjustment.',
    }),
    adjustment: t.field({
      type: 'SafeInt',
      description: 'Difference between the new and the previous total. Negative if the total was lowered.',
      resolve: (row) => row.value - row.previousValue,
    }),
    customerId: t.exposeID('customerId', { description: 'ID of the customer.' }),
    featureCode: t.string({
      description: 'Code of the feature.',
      resolve: ({ featureId }, _args, ctx) => loadFeatureCode(ctx, featureId),
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Reason for the adjustment. `null` if no reason was given.',
    }),
    ts: t.expose('createdAt', {
      type: 'DateTime',
      description:
        'Time from which the adjustment applies. Always the time at which the adjustment was recorded.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: "Time at which the adjustment was recorded. In a sandbox, the test clock's time.",
    }),
    object: t.string({ description: 'Always `usage_adjustment`.', resolve: () => 'usage_adjustment' }),
    livemode: t.livemode(),
  }),
});

restView(
  'UsageAdjustment',
  'UsageAdjustment',
  'id value previousValue adjustment customerId reason ts createdAt featureCode object livemode',
);

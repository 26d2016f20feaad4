import type { StoredTokenCost } from '../../../domain/usage/record.ts';
import { readTokenCost } from '../../../engine/usage/token-cost.ts';
import { builder } from '../../../graphql/builder.ts';
import { node } from '../../../graphql/node.ts';
import { connectionOf } from '../../../graphql/pagination.ts';
import { restView } from '../../../graphql/rest.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { loadFeatureCode } from '../../features/store.ts';
import { UsageOutcome } from '../enums.ts';
import type { UsageEventShape } from '../track.ts';

type PropertyShape = { readonly property: string; readonly value: string };

const UsageProperty = builder.objectRef<PropertyShape>('UsageProperty').implement({
  description: "A detail of a usage event in the caller's own words.",
  fields: (t) => ({
    property: t.exposeString('property', { description: 'Its name.' }),
    value: t.exposeString('value', { description: 'Its value.' }),
  }),
});

export const PrepaidModel = builder.enumType('PrepaidModel', {
  description: 'A pool that consumption is taken from.',
  values: {
    credits: { description: 'Whole credits.' },
    balance: { description: 'Money, 10000 being 1.00.' },
  },
});

type ConsumptionShape = { readonly event: UsageEventShape; readonly model: 'credits' | 'balance' };

const UsageEventConsumption = builder.objectRef<ConsumptionShape>('UsageEventConsumption').implement({
  description: 'What an event took from the pool of its subscription.',
  fields: (t) => ({
    model: t.expose('model', { type: PrepaidModel, description: 'Which pool.' }),
    deducted: t.field({
      type: 'SafeInt',
      description: 'What was taken: credits, or money with 10000 being 1.00.',
      resolve: ({ event }) => event.deducted ?? 0n,
    }),
    remaining: t.field({
      type: 'SafeInt',
      description: 'The pool right after it.',
      resolve: ({ event }) => event.remaining ?? 0n,
    }),
    blocked: t.boolean({
      description: 'Whether the pool covered no further unit.',
      resolve: ({ event }) => event.isBlocked ?? false,
    }),
  }),
});

const TokenCost = builder.objectRef<StoredTokenCost>('UsageTokenCost').implement({
  description: 'What the tokens of an AI model cost: US dollars, 10000 being 1.00, each class rounded up.',
  fields: (t) => ({
    inputTokens: t.field({
      type: 'SafeInt',
      description: 'Tokens in, cached ones included.',
      resolve: ({ tokens }) => tokens.input,
    }),
    outputTokens: t.field({
      type: 'SafeInt',
      description: 'Tokens out.',
      resolve: ({ tokens }) => tokens.output,
    }),
    cacheReadTokens: t.field({
      type: 'SafeInt',
      description: 'Tokens read from a cache.',
      resolve: ({ tokens }) => tokens.cacheRead,
    }),
    cacheWriteTokens: t.field({
      type: 'SafeInt',
      description: 'Tokens written to a cache.',
      resolve: ({ tokens }) => tokens.cacheWrite,
    }),
    inputCost: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Of tokens not cached.',
      resolve: ({ cost }) => cost.input,
    }),
    cacheReadCost: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Of tokens read.',
      resolve: ({ cost }) => cost.cacheRead,
    }),
    cacheWriteCost: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Of tokens written.',
      resolve: ({ cost }) => cost.cacheWrite,
    }),
    outputCost: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Of tokens out.',
      resolve: ({ cost }) => cost.output,
    }),
    margin: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'The margin on their sum.',
      resolve: ({ cost }) => cost.margin,
    }),
    total: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'All together.',
      resolve: ({ cost }) => cost.total,
    }),
    priceVersion: t.exposeString('version', {
      description: 'The entry of the price history they were priced by.',
    }),
  }),
});

/** What an event did to the pool of its subscription. */
const outcomeOf = ({
  consumptionModel,
  isBlocked,
}: Pick<UsageEventShape, 'consumptionModel' | 'isBlocked'>): typeof UsageOutcome.$inferType =>
  consumptionModel === 'metered' ? 'metered' : isBlocked === true ? 'exhausted' : 'deducted';

export const UsageEvent = builder.objectRef<UsageEventShape>('UsageEvent').implement({
  ...node({ prefix: 'evt', model: 'UsageEvent' }),
  description: 'One consumption fact; never changed and never removed.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `evt_…`.' }),
    featureCode: t.string({
      description: 'Code of the feature consumed.',
      resolve: ({ featureCode, featureId }, _args, ctx) => featureCode ?? loadFeatureCode(ctx, featureId),
    }),
    value: t.expose('value', { type: 'SafeInt', description: 'Units; for AI models all tokens in and out.' }),
    customerId: t.exposeID('customerId', { description: 'Our id of the customer.' }),
    eventId: t.exposeString('eventId', {
      nullable: true,
      description: "The caller's own id; null when none was given.",
    }),
    ts: t.expose('ts', { type: 'DateTime', description: "When it happened, by the caller's word." }),
    windowStart: t.expose('windowStart', {
      type: 'DateTime',
      description: 'Start of the window it counts in.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of recording.' }),
    properties: t.field({
      type: [UsageProperty],
      description: "Details in the caller's own words.",
      resolve: ({ properties }) => properties,
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The AI model; null for events that count units.',
    }),
    tokenCost: t.field({
      type: TokenCost,
      nullable: true,
      description: 'How the tokens were priced; null for events that count units.',
      resolve: ({ tokenCost }) => readTokenCost(tokenCost),
    }),
    consumption: t.field({
      type: UsageEventConsumption,
      nullable: true,
      description: 'What it took from a pool; null on metered plans.',
      resolve: (event) =>
        event.consumptionModel === 'metered' ? null : { event, model: event.consumptionModel },
    }),
    outcome: t.field({
      type: UsageOutcome,
      description: 'What it did to the pool of its subscription.',
      resolve: outcomeOf,
    }),
    customer: t.rowById('Customer', { id: 'customerId', description: 'Who consumed.' }),
    feature: t.rowById('Feature', { id: 'featureId', description: 'What was consumed.' }),
    object: t.string({ description: 'Always `usage_event`.', resolve: () => 'usage_event' }),
    livemode: t.livemode(),
  }),
});

export const UsageEventConnection = connectionOf('UsageEvent', UsageEvent, 'usage events');

const usageEventFields = `id featureCode value customerId eventId ts createdAt properties { property value }
  consumption { model deducted remaining blocked } object livemode`;

restView('UsageEvent', 'UsageEvent', usageEventFields, { absentWhenNull: ['consumption'] });

/** One event of a batch that was rejected, with why. */
type BatchResultShape = {
  readonly index: number;
  readonly event: UsageEventShape | null;
  readonly code: string | null;
  readonly error: string | null;
};

export const UsageBatchResult = builder.objectRef<BatchResultShape>('UsageBatchResult').implement({
  description: 'The result of one event of a batch.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place in the batch, from 0.' }),
    event: t.field({
      type: UsageEvent,
      nullable: true,
      description: 'The recorded event; null when it was rejected.',
      resolve: ({ event }) => event,
    }),
    code: t.exposeString('code', {
      nullable: true,
      description: 'Error code of the rejection; null when it was recorded.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'A sentence about the rejection; null when it was recorded.',
    }),
  }),
});

export type UsageBatchShape = { readonly results: readonly BatchResultShape[] };

export const UsageBatch = builder.objectRef<UsageBatchShape>('UsageBatch').implement({
  description: 'The results of the events of a batch, in their order.',
  fields: (t) => ({
    results: t.field({
      type: [UsageBatchResult],
      description: 'One result per event.',
      resolve: ({ results }) => results,
    }),
    recorded: t.int({
      description: 'How many are recorded.',
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
  description: 'A correction that made the total of the open window exact.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `uad_…`.' }),
    value: t.expose('value', { type: 'SafeInt', description: 'The total from then on.' }),
    previousValue: t.expose('previousValue', { type: 'SafeInt', description: 'The total before.' }),
    adjustment: t.field({
      type: 'SafeInt',
      description: 'What was added, negative where less.',
      resolve: (row) => row.value - row.previousValue,
    }),
    customerId: t.exposeID('customerId', { description: 'Our id of the customer.' }),
    featureCode: t.string({
      description: 'Code of the feature.',
      resolve: ({ featureId }, _args, ctx) => loadFeatureCode(ctx, featureId),
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why; null when nothing was said.' }),
    ts: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it counts from: the time of recording.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of recording.' }),
    object: t.string({ description: 'Always `usage_adjustment`.', resolve: () => 'usage_adjustment' }),
    livemode: t.livemode(),
  }),
});

restView(
  'UsageAdjustment',
  'UsageAdjustment',
  'id value previousValue adjustment customerId reason ts createdAt featureCode object livemode',
);

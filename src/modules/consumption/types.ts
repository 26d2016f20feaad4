import type { AccessDetails } from '../../domain/usage/access.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { UsageEvent } from '../usage/types/usage.ts';
import { ConsumptionCause, ConsumptionEntryType, ConsumptionPool } from './enums.ts';
import { causeOf, type EntryRow } from './store.ts';

export const ConsumptionLedgerEntry = builder.objectRef<EntryRow>('ConsumptionLedgerEntry').implement({
  ...node({ prefix: 'bal', model: 'ConsumptionEntry' }),
  description:
    'One movement of the credits or the balance of a subscription; never changed and never removed.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `bal_…`.' }),
    pool: t.expose('pool', { type: ConsumptionPool, description: 'What moved.' }),
    type: t.expose('type', { type: ConsumptionEntryType, description: 'Why it moved.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'Signed: credits, or money with 10000 being 1.00.',
    }),
    resulting: t.expose('resulting', {
      type: 'SafeInt',
      description: 'The pool after it, in the same unit.',
    }),
    cause: t.field({ type: ConsumptionCause, description: 'What is behind it.', resolve: causeOf }),
    usageEvent: t.rowById('UsageEvent', {
      type: UsageEvent,
      id: (entry) => (causeOf(entry) === 'usage_event' ? entry.sourceId : null),
      nullable: true,
      description: 'The usage event behind it; null for every other cause.',
    }),
    invoice: t.rowById('Invoice', {
      id: (entry) => (causeOf(entry) === 'invoice' ? entry.sourceId : null),
      nullable: true,
      description: 'The invoice behind it; null for every other cause.',
    }),
    feature: t.rowById('Feature', {
      id: 'featureId',
      nullable: true,
      description: 'The feature consumed; null where nothing was.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What was said about it; null when nothing was.',
    }),
    windowStart: t.expose('windowStart', {
      type: 'DateTime',
      description: 'Start of the window it counts in.',
    }),
    createdAt: t.expose('occurredAt', { type: 'DateTime', description: 'Business time of the movement.' }),
  }),
});

export const ConsumptionLedgerConnection = connectionOf(
  'ConsumptionLedger',
  ConsumptionLedgerEntry,
  'movements',
);

// What customers and subscriptions consumed; each level of a nested query is one statement.

export const SubscriptionUsage = builder.objectRef<AccessDetails>('SubscriptionUsage').implement({
  description: 'What was used of a feature in the open window.',
  fields: (t) => ({
    featureCode: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    feature: t.rowById('Feature', { id: ({ feature }) => feature.id, description: 'The feature.' }),
    windowStart: t.field({
      type: 'DateTime',
      description: 'Start of the window, inclusive.',
      resolve: ({ window }) => window.start,
    }),
    windowEnd: t.field({
      type: 'DateTime',
      description: 'End of the window, exclusive.',
      resolve: ({ window }) => window.end,
    }),
    value: t.field({
      type: 'SafeInt',
      description: 'Units, corrections counted; tokens of AI models.',
      resolve: ({ meter }) => meter.counter.total,
    }),
    consumed: t.field({
      type: 'SafeInt',
      description:
        'What that took from the pools: credits, or money with 10000 being 1.00; 0 on metered plans.',
      resolve: ({ meter }) => meter.counter.consumed,
    }),
  }),
});

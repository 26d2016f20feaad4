import type { AccessDetails } from '../../../domain/usage/access.ts';
import { shownUnits } from '../../../domain/usage/metered-terms.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Lot } from '../lots/types.ts';
import { UsageEvent } from '../usage/types/usage.ts';
import { ConsumptionCause, ConsumptionEntryType } from './enums.ts';
import { causeOf, type EntryRow } from './store.ts';

const ConsumptionLedgerEntry = builder.objectRef<EntryRow>('ConsumptionLedgerEntry').implement({
  ...node({ prefix: 'bal', model: 'ConsumptionEntry' }),
  description: 'Change to a lot of a subscription. Ledger entries are never changed or deleted.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `bal_`.'),
    lot: t.rowById('Lot', { type: Lot, id: 'lotId', description: 'Lot that changed.' }),
    type: t.member('type', ConsumptionEntryType).describe('Type of the ledger entry.'),
    amount: t
      .member('amount', 'SafeInt')
      .describe(
        'Change to the balance, positive or negative. In credits, or in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    resulting: t
      .member('resulting', 'SafeInt')
      .describe('Credits or balance of the subscription after the entry, in the same unit as `amount`.'),
    value: t
      .maybe('valueMinor', 'MINOR')
      .describe(
        "Part of the lot's price before tax for the amount that left the lot, in the smallest unit of the subscription's currency, such as cents. Revenue for usage, and breakage for an expiry. Negative if the amount returned to the lot. `null` if the lot wasn't purchased, and for the purchase itself.",
      ),
    cause: t.field({
      type: ConsumptionCause,
      description: 'Cause of the ledger entry, such as a usage event or an invoice.',
      resolve: causeOf,
    }),
    usageEvent: t.rowById('UsageEvent', {
      type: UsageEvent,
      id: (entry) => (causeOf(entry) === 'usage_event' ? entry.sourceId : null),
      nullable: true,
      description: 'Usage event that caused the entry. `null` if the entry has another cause.',
    }),
    invoice: t.rowById('Invoice', {
      id: (entry) => (causeOf(entry) === 'invoice' ? entry.sourceId : null),
      nullable: true,
      description: 'Invoice that caused the entry. `null` if the entry has another cause.',
    }),
    feature: t.rowById('Feature', {
      id: 'featureId',
      nullable: true,
      description: "Feature that was used. `null` if the entry isn't for usage.",
    }),
    description: t
      .maybe('description', 'String')
      .describe("Description of the entry. `null` if there's no description."),
    windowStart: t
      .member('windowStart', 'DateTime')
      .describe('Start of the usage window that includes the entry.'),
    createdAt: t
      .member('occurredAt', 'DateTime')
      .describe("Time at which the entry was created. In a sandbox, the test clock's time."),
  }),
});

export const ConsumptionLedgerConnection = connectionOf(
  'ConsumptionLedger',
  ConsumptionLedgerEntry,
  'ledger entries',
);

// Consumption types of customers and subscriptions. Each level of a nested query runs one statement.

export const SubscriptionUsage = builder.objectRef<AccessDetails>('SubscriptionUsage').implement({
  description: 'Usage of a feature in the current usage window.',
  fields: (t) => ({
    featureCode: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    feature: t.rowById('Feature', { id: ({ feature }) => feature.id, description: 'Feature that was used.' }),
    windowStart: t.field({
      type: 'DateTime',
      description: 'Start of the usage window, inclusive.',
      resolve: ({ window }) => window.start,
    }),
    windowEnd: t.field({
      type: 'DateTime',
      description: 'End of the usage window, exclusive.',
      resolve: ({ window }) => window.end,
    }),
    value: t.field({
      type: 'SafeInt',
      description: 'Units used, including usage adjustments. For AI models, tokens.',
      resolve: ({ terms, meter }) => shownUnits(terms, meter.counter.total),
    }),
    consumed: t.field({
      type: 'SafeInt',
      description:
        'Deducted credits, or the deducted amount in ten-thousandths of the currency unit (10,000 = 1.00). 0 on metered plans.',
      resolve: ({ meter }) => meter.counter.consumed,
    }),
  }),
});

import { builder } from '../../../../graphql/reading/builder.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { loadFeatureName } from '../../../catalog/features/store.ts';
import { ConsumptionCause, ConsumptionEntryType, ConsumptionPool } from '../../../usage/consumption/enums.ts';
import { causeOf, type EntryRow } from '../../../usage/consumption/store.ts';

const PortalLedgerEntry = builder.objectRef<EntryRow>('PortalLedgerEntry').implement({
  description: "Change to a subscription's credits or balance.",
  fields: (t) => ({
    pool: t.expose('pool', { type: ConsumptionPool, description: 'Type of balance that changed.' }),
    type: t.expose('type', { type: ConsumptionEntryType, description: 'Reason for the change.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'Signed change, in credits or in ten-thousandths of the currency unit (10,000 = 1.00).',
    }),
    resulting: t.expose('resulting', {
      type: 'SafeInt',
      description: 'Credits or balance after the change, in the same unit as the change.',
    }),
    cause: t.field({
      type: ConsumptionCause,
      description: 'Cause of the change.',
      resolve: causeOf,
    }),
    featureName: t.string({
      nullable: true,
      description:
        "Name of the feature whose usage caused the change. `null` if the change wasn't caused by usage.",
      resolve: ({ featureId }, _args, ctx) => (featureId === null ? null : loadFeatureName(ctx, featureId)),
    }),
    createdAt: t.expose('occurredAt', { type: 'DateTime', description: 'Time of the change.' }),
  }),
});

export const PortalLedgerConnection = connectionOf('PortalLedger', PortalLedgerEntry, 'balance transactions');

import { builder } from '../../../../graphql/reading/builder.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { loadFeatureName } from '../../../catalog/features/store.ts';
import { ConsumptionCause, ConsumptionEntryType } from '../../../usage/consumption/enums.ts';
import { causeOf, type EntryRow } from '../../../usage/consumption/store.ts';

const PortalLedgerEntry = builder.objectRef<EntryRow>('PortalLedgerEntry').implement({
  description: "Change to a subscription's credits or balance.",
  fields: (t) => ({
    type: t.member('type', ConsumptionEntryType).describe('Type of the change, such as a purchase or usage.'),
    amount: t
      .member('amount', 'SafeInt')
      .describe(
        'Positive or negative change, in credits or in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    resulting: t
      .member('resulting', 'SafeInt')
      .describe('Credits or balance after the change, in the same unit as `amount`.'),
    cause: t.field({
      type: ConsumptionCause,
      description: 'Cause of the change, such as a usage event or an invoice.',
      resolve: causeOf,
    }),
    featureName: t.string({
      nullable: true,
      description:
        "Name of the feature whose usage changed the credits or balance. `null` if the change wasn't caused by usage.",
      resolve: ({ featureId }, _args, ctx) => (featureId === null ? null : loadFeatureName(ctx, featureId)),
    }),
    createdAt: t.member('occurredAt', 'DateTime').describe('Time at which the credits or balance changed.'),
  }),
});

export const PortalLedgerConnection = connectionOf('PortalLedger', PortalLedgerEntry, 'balance transactions');

import { builder } from '../../../../graphql/reading/builder.ts';
import { loadRunning, termsOf } from '../../../subscriptions/commitments/store.ts';
import type { LotRow } from '../../../usage/lots/store.ts';
import { loadUnit, PortalUnit } from './pools.ts';
import { PortalSubscription } from './subscription.ts';

const PortalCommitment = builder.objectRef<LotRow>('PortalCommitment').implement({
  description: 'Prepaid commitment of a customer, whose term is running.',
  fields: (t) => ({
    description: t
      .maybe('description', 'String')
      .describe('Description, which invoices show. `null` if the commitment has no description.'),
    asset: t
      .member('asset', 'String')
      .describe('Code of a custom unit such as `credits`, or the lowercase code of a currency.'),
    unit: t.field({
      type: PortalUnit,
      nullable: true,
      description: 'Custom unit of the commitment. `null` if the commitment contains credits or money.',
      resolve: ({ asset }, _args, ctx) => loadUnit(ctx, asset),
    }),
    grant: t
      .member('amount', 'SafeInt')
      .describe(
        'Amount that was purchased, in the smallest amount of the unit or in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    remaining: t.member('remaining', 'SafeInt').describe('Remaining amount, in the unit of `grant`.'),
    autoRenew: t.boolean({
      description: 'Whether the end of the term purchases the commitment again.',
      resolve: (lot) => termsOf(lot).autoRenew,
    }),
    expiresAt: t.maybe('expiresAt', 'DateTime').describe('End of the current term. Never `null`.'),
  }),
});

builder.prismaObjectField(PortalSubscription, 'commitments', (t) =>
  t.computed({
    type: [PortalCommitment],
    description:
      "Prepaid commitments whose term is running, the next to end first. Up to 50. Empty if the subscription doesn't give access.",
    columns: ['id', 'status'],
    resolve: (subscription, _args, ctx) => loadRunning(ctx, subscription),
  }),
);

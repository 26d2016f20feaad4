import { builder } from '../../../graphql/builder.ts';
import { connectionOf } from '../../../graphql/pagination.ts';
import { ConsumptionCause, ConsumptionEntryType, ConsumptionPool } from '../../consumption/enums.ts';
import { causeOf, type EntryRow } from '../../consumption/store.ts';
import { loadFeatureName } from '../../features/store.ts';

const PortalLedgerEntry = builder.objectRef<EntryRow>('PortalLedgerEntry').implement({
  description: 'One movement of the credits or the balance of a subscription.',
  fields: (t) => ({
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
    featureName: t.string({
      nullable: true,
      description: 'The feature that was used; null where nothing was.',
      resolve: ({ featureId }, _args, ctx) => (featureId === null ? null : loadFeatureName(ctx, featureId)),
    }),
    createdAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it moved.' }),
  }),
});

export const PortalLedgerConnection = connectionOf('PortalLedger', PortalLedgerEntry, 'movements');

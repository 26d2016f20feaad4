import { builder } from '../../graphql/builder.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { Feature } from '../features/types.ts';
import { Invoice } from '../invoices/types.ts';
import { UsageEvent } from '../usage/types.ts';
import { causeOf, type EntryRow } from './service.ts';

const Pool = builder.enumType('ConsumptionPool', {
  description: 'What a movement changes.',
  values: {
    plan_credits: { description: 'Credits of the plan, which end with the window.' },
    purchased_credits: { description: 'Bought credits, which stay until used.' },
    money_balance: { description: 'Prepaid money, which ends with the window.' },
  },
});

const EntryType = builder.enumType('ConsumptionEntryType', {
  description: 'Why a pool moved (CON-58).',
  values: {
    grant: { description: 'The first window opened, or more is included since.' },
    reset: { description: 'A window opened: included again, or a deficit cleared.' },
    expiry: { description: 'A window ended: what was left is gone.' },
    consumption: { description: 'Something was used.' },
    purchase: { description: 'Credits were bought.' },
    topup: { description: 'Money was paid in.' },
    adjustment: { description: 'It was corrected by hand.' },
  },
});

const Cause = builder.enumType('ConsumptionCause', {
  description: 'What is behind a movement.',
  values: {
    usage_event: { description: 'A usage event.' },
    invoice: { description: 'The invoice of a purchase.' },
    window: { description: 'The deadline that opened a window.' },
    raise: { description: 'The catalogue, which includes more since the window opened (CAT-49).' },
    manual: { description: 'A request.' },
  },
});

export const ConsumptionLedgerEntry = builder.objectRef<EntryRow>('ConsumptionLedgerEntry').implement({
  description: 'One movement of the credits or the balance of a subscription; never changed and never removed (CON-58).',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `bal_…`.' }),
    pool: t.expose('pool', { type: Pool, description: 'What moved.' }),
    type: t.expose('type', { type: EntryType, description: 'Why it moved.' }),
    amount: t.expose('amount', { type: 'SafeInt', description: 'Signed: credits, or money with 10000 being 1.00.' }),
    resulting: t.expose('resulting', { type: 'SafeInt', description: 'The pool after it, in the same unit.' }),
    cause: t.field({ type: Cause, description: 'What is behind it.', resolve: causeOf }),
    usageEvent: t.field({
      type: UsageEvent,
      nullable: true,
      description: 'The usage event behind it; null for every other cause.',
      resolve: (entry, _args, context) =>
        entry.sourceId !== null && causeOf(entry) === 'usage_event' ? loadRow(context, 'UsageEvent', entry.sourceId) : null,
    }),
    invoice: t.field({
      type: Invoice,
      nullable: true,
      description: 'The invoice behind it; null for every other cause.',
      resolve: (entry, _args, context) =>
        entry.sourceId !== null && causeOf(entry) === 'invoice' ? loadRow(context, 'Invoice', entry.sourceId) : null,
    }),
    feature: t.field({
      type: Feature,
      nullable: true,
      description: 'The feature consumed; null where nothing was.',
      resolve: ({ featureId }, _args, context) => (featureId === null ? null : loadRow(context, 'Feature', featureId)),
    }),
    description: t.exposeString('description', { nullable: true, description: 'What was said about it; null when nothing was.' }),
    windowStart: t.expose('windowStart', { type: 'DateTime', description: 'Start of the window it counts in.' }),
    createdAt: t.expose('occurredAt', { type: 'DateTime', description: 'Business time of the movement.' }),
  }),
});

export const ConsumptionLedgerConnection = connectionOf('ConsumptionLedger', ConsumptionLedgerEntry, 'movements');

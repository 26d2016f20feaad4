import { builder } from '../../graphql/builder.ts';
import { changeSeats, setAllSeats } from './change.ts';
import { SeatEvent } from './types.ts';

const reference = { minLength: 1, maxLength: 200 } as const;
const code = { minLength: 1, maxLength: 50, pattern: /^[a-z0-9_]+$/ } as const;
const steps = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

const words = {
  customerId: 'Our id of the customer, else its external id.',
  featureCode: 'Code of a seats feature.',
} as const;

/** Codes every change can be rejected with. */
const changeErrors = [
  'feature_not_in_plan',
  'feature_disabled',
  'customer_not_found',
  'feature_not_found',
  'no_active_subscription',
] as const;

const SeatsAddInput = builder.inputType('SeatsAddInput', {
  description: 'Seats to add.',
  fields: (t) => ({
    customerId: t.id({ required: true, rule: reference, description: words.customerId }),
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    count: t.field({ type: 'SafeInt', required: true, rule: steps, description: 'How many, at least 1.' }),
  }),
});

builder.mutationField('seatsAdd', (t) =>
  t.field({
    type: SeatEvent,
    description:
      'Adds seats immediately, after taking back removals that have not come into force. Seats beyond the included ones are billed for the rest of the period, `included_limit_reached` where none are sold.',
    rest: {
      method: 'POST',
      path: '/seats',
      view: 'SeatEvent',
      errors: ['included_limit_reached', ...changeErrors],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: SeatsAddInput, required: true, description: 'The seats.' }) },
    resolve: (_root, { input }, ctx) => changeSeats(ctx, 'add', input),
  }),
);

const SeatsSetInput = builder.inputType('SeatsSetInput', {
  description: 'The wanted count of seats.',
  fields: (t) => ({
    customerId: t.id({ required: true, rule: reference, description: words.customerId }),
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    count: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      description: 'Seats wanted, at least 0.',
    }),
  }),
});

builder.mutationField('seatsSet', (t) =>
  t.field({
    type: SeatEvent,
    description:
      'Sets the seats of a feature: more come immediately as by `seatsAdd`, fewer leave at the end of the period as by `seatsRemove`.',
    rest: {
      method: 'PUT',
      path: '/seats',
      view: 'SeatEvent',
      errors: ['included_limit_reached', ...changeErrors],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: SeatsSetInput, required: true, description: 'The count.' }) },
    resolve: (_root, { input }, ctx) => changeSeats(ctx, 'set', input),
  }),
);

const SeatsRemoveInput = builder.inputType('SeatsRemoveInput', {
  description: 'Seats to give up.',
  fields: (t) => ({
    customerId: t.id({ required: true, rule: reference, description: words.customerId }),
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    count: t.field({ type: 'SafeInt', required: true, rule: steps, description: 'How many, at least 1.' }),
  }),
});

builder.mutationField('seatsRemove', (t) =>
  t.field({
    type: SeatEvent,
    description:
      'Lets seats leave at the end of the billing period; until then they stay in force. `insufficient_seats` for more than are left by then.',
    rest: {
      method: 'POST',
      path: '/seats/remove',
      view: 'SeatEvent',
      errors: ['insufficient_seats', ...changeErrors],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: SeatsRemoveInput, required: true, description: 'The seats.' }) },
    resolve: (_root, { input }, ctx) => changeSeats(ctx, 'remove', input),
  }),
);

const SeatsBulkSetInput = builder.inputType('SeatsBulkSetInput', {
  description: 'The wanted counts of several kinds of seats.',
  fields: (t) => ({
    customerId: t.id({ required: true, rule: reference, description: words.customerId }),
    seats: t.field({
      type: 'CountMap',
      required: true,
      description: 'Seats wanted by feature code; features not named stay as they are.',
    }),
  }),
});

builder.mutationField('seatsBulkSet', (t) =>
  t.field({
    type: [SeatEvent],
    description:
      'Sets the seats of several features as `seatsSet` would, all or none; one event per feature, in the order named. The rejection of one names it as `seats.<code>`.',
    rest: {
      method: 'PUT',
      path: '/seats/bulk',
      view: 'SeatEvent',
      errors: ['included_limit_reached', ...changeErrors],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: SeatsBulkSetInput, required: true, description: 'The counts.' }) },
    resolve: (_root, { input }, ctx) => setAllSeats(ctx, input),
  }),
);

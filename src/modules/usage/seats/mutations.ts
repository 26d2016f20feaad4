import { readCountEvents } from '../../../engine/counts.ts';
import { operation } from '../../../engine/operation.ts';
import { code, reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { changeErrors } from '../quota/change.ts';
import { changing, onSeats, setAll } from './change.ts';
import { SeatEvent } from './types.ts';

const steps = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

const words = {
  customerId: 'ID or external ID of the customer.',
  featureCode: 'Code of a seat feature.',
} as const;

const SeatsAddInput = builder.inputType('SeatsAddInput', {
  description: 'Parameters for adding seats.',
  fields: (t) => ({
    customerId: t.id({ required: true, rule: reference, description: words.customerId }),
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    count: t.field({
      type: 'SafeInt',
      required: true,
      rule: steps,
      description: 'Number of seats to add. At least 1.',
    }),
  }),
});

const seatsAdd = operation({ input: SeatsAddInput, ...changing('add') });

builder.mutationField('seatsAdd', (t) =>
  t.operation(seatsAdd, {
    type: SeatEvent,
    description:
      'Adds seats immediately. Pending removals are canceled first. Seats above the included number are billed for the rest of the period.',
    rest: {
      method: 'POST',
      path: '/seats',
      view: 'SeatEvent',
    },
    errors: [
      [
        'included_limit_reached',
        "the new number exceeds the included seats, and the plan doesn't allow overage",
      ],
      ...changeErrors,
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const SeatsSetInput = builder.inputType('SeatsSetInput', {
  description: 'Parameters for setting the number of seats.',
  fields: (t) => ({
    customerId: t.id({ required: true, rule: reference, description: words.customerId }),
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    count: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      description: 'New number of seats. At least 0.',
    }),
  }),
});

export const seatsSet = operation({ input: SeatsSetInput, ...changing('set') });

builder.mutationField('seatsSet', (t) =>
  t.operation(seatsSet, {
    type: SeatEvent,
    description:
      'Sets the number of seats for a feature. Additional seats are added immediately, as with `seatsAdd`. Surplus seats are removed at the end of the billing period, as with `seatsRemove`.',
    rest: {
      method: 'PUT',
      path: '/seats',
      view: 'SeatEvent',
    },
    errors: [
      [
        'included_limit_reached',
        "the new number exceeds the included seats, and the plan doesn't allow overage",
      ],
      ...changeErrors,
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const SeatsRemoveInput = builder.inputType('SeatsRemoveInput', {
  description: 'Parameters for removing seats.',
  fields: (t) => ({
    customerId: t.id({ required: true, rule: reference, description: words.customerId }),
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    count: t.field({
      type: 'SafeInt',
      required: true,
      rule: steps,
      description: 'Number of seats to remove. At least 1.',
    }),
  }),
});

const seatsRemove = operation({ input: SeatsRemoveInput, ...changing('remove') });

builder.mutationField('seatsRemove', (t) =>
  t.operation(seatsRemove, {
    type: SeatEvent,
    description: 'Removes seats at the end of the billing period. The seats can be used until then.',
    rest: {
      method: 'POST',
      path: '/seats/remove',
      view: 'SeatEvent',
    },
    errors: [
      ['insufficient_seats', '`count` exceeds the number of seats left after pending removals'],
      ...changeErrors,
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const SeatsBulkSetInput = builder.inputType('SeatsBulkSetInput', {
  description: 'Parameters for setting the number of seats of several features.',
  fields: (t) => ({
    customerId: t.id({ required: true, rule: reference, description: words.customerId }),
    seats: t.field({
      type: 'CountMap',
      required: true,
      description: "Number of seats by feature code. Features that aren't listed don't change.",
    }),
  }),
});

const seatsBulkSet = operation({
  input: SeatsBulkSetInput,
  ...onSeats,
  command: ({ seats }) => setAll(seats),
  result: (ctx, { command }) => readCountEvents(ctx, command.changes),
});

builder.mutationField('seatsBulkSet', (t) =>
  t.operation(seatsBulkSet, {
    type: [SeatEvent],
    description:
      'Sets the number of seats of several features in one step, in the same way as `seatsSet`. If the change to one feature is rejected, none of the features change, and the `param` of the error is `seats.<code>`. Returns one event per feature, in the order of the request.',
    rest: {
      method: 'PUT',
      path: '/seats/bulk',
      view: 'SeatEvent',
    },
    errors: ['included_limit_reached', ...changeErrors],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { loadAllowances } from '../quota/store.ts';
import { countEventFields, countEventType } from '../quota/types.ts';
import type { HeldSeats } from './store.ts';

export const SeatEvent = countEventType('SeatEvent', {
  description: 'Change in the number of seats for a feature. Seat events are never changed or deleted.',
  prefix: 'sev',
  object: 'seat_event',
  balance: 'Number of seats, without pending removals,',
  units: 'seats',
});

const SeatEventConnection = connectionOf('SeatEvent', SeatEvent, 'changes to seat counts');

restView('SeatEvent', 'SeatEvent', countEventFields);

export const SeatBalance = builder.objectRef<HeldSeats>('SeatBalance').implement({
  description: "A customer's seats for one feature.",
  fields: (t) => ({
    current: t.field({
      type: 'SafeInt',
      description: 'Current number of seats, including pending removals.',
      resolve: ({ count }) => count.count,
    }),
    asOf: t.field({
      type: 'DateTime',
      description: "Time of the response. In a sandbox, the test clock's time.",
      resolve: (_row, _args, ctx) => ctx.clock.now(),
    }),
    featureCode: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    pendingRemovals: t.field({
      type: 'SafeInt',
      description: 'Number of seats scheduled for removal at the end of the current period.',
      resolve: ({ count }) => count.pendingRemovals,
    }),
    feature: t.rowById('Feature', {
      id: ({ feature }) => feature.id,
      description: 'Feature for which the seats are counted.',
    }),
    events: t.pageBy('CountEvent', {
      type: SeatEventConnection,
      by: 'customerId',
      id: ({ count }) => count.customerId,
      where: ({ count: { featureId } }) => ({ featureId }),
      description: 'Changes to the number of seats, including changes made during earlier subscriptions.',
    }),
    ...t.resource('seat_balance'),
  }),
});

restView('SeatBalance', 'SeatBalance', 'current asOf object livemode');

export const SeatBalanceCollection = builder
  .objectRef<{ readonly seats: readonly HeldSeats[] }>('SeatBalanceCollection')
  .implement({
    description: 'Number of seats for each seat feature of a plan.',
    fields: (t) => ({
      balances: t.field({
        type: 'BalanceMap',
        description: 'Current number of seats by feature code, each with the time of the response.',
        resolve: ({ seats }, _args, ctx) => {
          const asOf = ctx.clock.now().toISOString();
          return Object.fromEntries(
            seats.map(({ feature, count }) => [feature.code, { current: Number(count.count), asOf }]),
          );
        },
      }),
      seats: t.member('seats', [SeatBalance]).describe('Seats of each feature, sorted by feature code.'),
      ...t.resource('seat_balance_collection'),
    }),
  });

restView('SeatBalanceCollection', 'SeatBalanceCollection', 'balances object livemode');

builder.prismaObjectField('Customer', 'seats', (t) =>
  t.computed({
    type: [SeatBalance],
    description:
      "Number of seats for each seat feature of the customer's plan, sorted by feature code. Empty if no subscription gives access.",
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadAllowances(ctx, id, 'seats'),
  }),
);

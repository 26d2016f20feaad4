import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { loadAllowances } from '../quota/store.ts';
import { countEventFields, countEventType } from '../quota/types.ts';
import type { HeldSeats } from './store.ts';

export const SeatEvent = countEventType('SeatEvent', {
  description: 'One change of the seats wanted of a feature; never changed and never removed.',
  prefix: 'sev',
  object: 'seat_event',
  balance: 'Seats once those that leave at the end of the period are gone,',
});

const SeatEventConnection = connectionOf('SeatEvent', SeatEvent, 'changes of seats');

restView('SeatEvent', 'SeatEvent', countEventFields);

export const SeatBalance = builder.objectRef<HeldSeats>('SeatBalance').implement({
  description: 'How many seats of a feature a customer holds.',
  fields: (t) => ({
    current: t.field({
      type: 'SafeInt',
      description: 'Seats in force now, those about to leave included.',
      resolve: ({ count }) => count.count,
    }),
    asOf: t.field({
      type: 'DateTime',
      description: 'Business time of the answer.',
      resolve: (_row, _args, ctx) => ctx.clock.now(),
    }),
    featureCode: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    pendingRemovals: t.field({
      type: 'SafeInt',
      description: 'How many of them leave at the end of the billing period.',
      resolve: ({ count }) => count.pendingRemovals,
    }),
    feature: t.rowById('Feature', { id: ({ feature }) => feature.id, description: 'What the seats are of.' }),
    events: t.pageBy('CountEvent', {
      type: SeatEventConnection,
      by: 'customerId',
      id: ({ count }) => count.customerId,
      where: ({ count: { featureId } }) => ({ featureId }),
      description: 'The changes of the seats, also those under earlier subscriptions.',
    }),
    object: t.string({ description: 'Always `seat_balance`.', resolve: () => 'seat_balance' }),
    livemode: t.livemode(),
  }),
});

restView('SeatBalance', 'SeatBalance', 'current asOf object livemode');

export const SeatBalanceCollection = builder
  .objectRef<{ readonly seats: readonly HeldSeats[] }>('SeatBalanceCollection')
  .implement({
    description: 'The seats of every seats feature of a plan.',
    fields: (t) => ({
      balances: t.field({
        type: 'BalanceMap',
        description: 'Seats in force by feature code, each with the business time of the answer.',
        resolve: ({ seats }, _args, ctx) => {
          const asOf = ctx.clock.now().toISOString();
          return Object.fromEntries(
            seats.map(({ feature, count }) => [feature.code, { current: Number(count.count), asOf }]),
          );
        },
      }),
      seats: t.field({
        type: [SeatBalance],
        description: 'The same one by one, in order of their codes.',
        resolve: ({ seats }) => seats,
      }),
      object: t.string({
        description: 'Always `seat_balance_collection`.',
        resolve: () => 'seat_balance_collection',
      }),
      livemode: t.livemode(),
    }),
  });

restView('SeatBalanceCollection', 'SeatBalanceCollection', 'balances object livemode');

builder.prismaObjectField('Customer', 'seats', (t) =>
  t.computed({
    type: [SeatBalance],
    description:
      'The seats of each seats feature of its plan, in order of their codes; none without a subscription that gives access.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadAllowances(ctx, id, 'seats'),
  }),
);

import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadPageBy } from '../../graphql/loaders.ts';
import { connectionOf, pageArgs } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { Feature } from '../features/types.ts';
import { countEventFields, countEventType } from '../quota/count-event.ts';
import { loadAllowances } from '../quota/service.ts';
import type { HeldSeats } from './service.ts';

export const SeatEvent = countEventType('SeatEvent', {
  description: 'One change of the seats wanted of a feature; never changed and never removed.',
  prefix: 'sev',
  object: 'seat_event',
  balance: 'Seats once those that leave at the end of the period are gone (CON-44),',
});

const SeatEventConnection = connectionOf('SeatEvent', SeatEvent, 'changes of seats');

restView('SeatEvent', 'SeatEvent', countEventFields);

export const SeatBalance = builder.objectRef<HeldSeats>('SeatBalance').implement({
  description: 'How many seats of a feature a customer holds (CON-48).',
  fields: (t) => ({
    current: t.field({
      type: 'SafeInt',
      description: 'Seats in force now, those about to leave included.',
      resolve: ({ count }) => count.count,
    }),
    asOf: t.field({
      type: 'DateTime',
      description: 'Business time of the answer.',
      resolve: (_row, _args, context) => context.clock.now(),
    }),
    featureCode: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    pendingRemovals: t.field({
      type: 'SafeInt',
      description: 'How many of them leave at the end of the billing period.',
      resolve: ({ count }) => count.pendingRemovals,
    }),
    feature: t.field({
      type: Feature,
      description: 'What the seats are of.',
      resolve: ({ feature }, _args, context) => loadExistingRow(context, 'Feature', feature.id),
    }),
    events: t.field({
      type: SeatEventConnection,
      description: 'The changes of the seats, also those under earlier subscriptions.',
      args: pageArgs(),
      resolve: ({ count: { customerId, featureId } }, args, context) =>
        loadPageBy(context, 'CountEvent', 'customerId', customerId, args, { featureId }),
    }),
    object: t.string({ description: 'Always `seat_balance`.', resolve: () => 'seat_balance' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_row, _args, context) => context.livemode }),
  }),
});

restView('SeatBalance', 'SeatBalance', 'current asOf object livemode');

export const SeatBalanceCollection = builder.objectRef<{ readonly seats: readonly HeldSeats[] }>('SeatBalanceCollection').implement({
  description: 'The seats of every seats feature of a plan.',
  fields: (t) => ({
    balances: t.field({
      type: 'BalanceMap',
      description: 'Seats in force by feature code, each with the business time of the answer.',
      resolve: ({ seats }, _args, context) => {
        const asOf = context.clock.now().toISOString();
        return Object.fromEntries(seats.map(({ feature, count }) => [feature.code, { current: Number(count.count), asOf }]));
      },
    }),
    seats: t.field({ type: [SeatBalance], description: 'The same one by one, in order of their codes.', resolve: ({ seats }) => seats }),
    object: t.string({ description: 'Always `seat_balance_collection`.', resolve: () => 'seat_balance_collection' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_row, _args, context) => context.livemode }),
  }),
});

restView('SeatBalanceCollection', 'SeatBalanceCollection', 'balances object livemode');

builder.prismaObjectField('Customer', 'seats', (t) =>
  t.field({
    type: [SeatBalance],
    description: 'The seats of each seats feature of its plan, in order of their codes; none without a subscription that gives access.',
    resolve: ({ id }, _args, context) => loadAllowances(context, id, 'seats'),
  }),
);

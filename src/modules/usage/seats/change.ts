import type { CountChange } from '../../../domain/subscription/commands/counts-change.ts';
import { countsCommand, readCountEvent } from '../../../engine/counts.ts';
import type { Subject } from '../../../engine/operation.ts';
import type { Context } from '../../../request/context.ts';
import { findSubject } from '../../customers/customers/store.ts';

/** Customer lookup of the operations that change seats. */
export const onSeats = {
  find: (ctx: Context, { customerId }: { readonly customerId: string }): Promise<Subject> =>
    findSubject(ctx, customerId, 'customerId'),
};

/**
 * Customer lookup, command, and response of the operations that change a customer's seats for one feature (CON-43, CON-44). If several
 * checks fail, the error of the first check is thrown (CON-35, CON-52).
 */
export const changing = (op: CountChange['op']) => ({
  ...onSeats,
  command: ({ featureCode, count }: { readonly featureCode: string; readonly count: number }) =>
    countsCommand('seats', [{ featureCode, op, count: BigInt(count) }]),
  result: readCountEvent,
});

/** Returns the command that sets the number of seats for each of the given features. */
export const setAll = (seats: Readonly<Record<string, number>>) =>
  countsCommand(
    'seats',
    Object.entries(seats).map(([featureCode, count]) => ({
      featureCode,
      op: 'set',
      count: BigInt(count),
      param: `seats.${featureCode}`,
    })),
  );

import type { CountChange } from '../../../domain/subscription/commands/counts-change.ts';
import { changeCounts } from '../../../engine/counts.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';

/** Change to a customer's seats for one feature. `customerId` is an ID or external ID. */
export type ChangeSeatsInput = {
  readonly customerId: string | number;
  readonly featureCode: string;
  readonly count: number;
};

/**
 * Adds, removes or sets a customer's seats for one feature (CON-43, CON-44). If several checks fail, throws the error of the first check
 * (CON-35, CON-52).
 */
export async function changeSeats(
  ctx: Context,
  op: CountChange['op'],
  input: ChangeSeatsInput,
): Promise<Row<'CountEvent'>> {
  const { id } = await requireCustomer(ctx, String(input.customerId), 'customerId');
  const change = { featureCode: input.featureCode, op, count: BigInt(input.count) };
  const [event] = await changeCounts(ctx, id, 'seats', [change]);
  if (event === undefined) throw new Error('A change has no event.');
  return event;
}

/**
 * Sets a customer's seats for all given features. If one change is rejected, no change is applied (CON-46). If several checks fail, throws
 * the error of the first check.
 */
export async function setAllSeats(
  ctx: Context,
  input: { readonly customerId: string | number; readonly seats: Readonly<Record<string, number>> },
): Promise<Row<'CountEvent'>[]> {
  const { id } = await requireCustomer(ctx, String(input.customerId), 'customerId');
  const changes = Object.entries(input.seats).map(([featureCode, count]) => ({
    featureCode,
    op: 'set' as const,
    count: BigInt(count),
    param: `seats.${featureCode}`,
  }));
  return changeCounts(ctx, id, 'seats', changes);
}

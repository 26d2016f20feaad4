import { specificError } from '../../../domain/errors/errors.ts';
import { readHolds } from '../../../engine/usage/load-holds.ts';
import type { Context } from '../../../request/context.ts';
import type { HoldShape } from './track-steps.ts';

/** Returns a hold by its ID, or by the identifier that the API client assigned. Throws `not_found` if it doesn't exist. */
export async function requireHold(ctx: Context, reference: string): Promise<HoldShape> {
  const { holds } = await readHolds(ctx.sql, [reference]);
  const hold = holds.find(({ id }) => id === reference) ?? holds[0];
  if (hold === undefined) throw specificError('not_found', 'hold', { param: 'id' });
  return hold;
}

import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import type { Day } from '../../domain/metrics/range.ts';
import { inTransaction } from '../../transaction.ts';
import { storeRate } from './store.ts';
import type { RateOfDay } from './types.ts';

/** Sets the rate of a currency on a day, past days included. Throws `validation_error` for US dollars, whose rate is 1. */
export function setRate(
  ctx: Context,
  input: { readonly currency: string; readonly day: Day; readonly unitsPerUsd: number },
): Promise<RateOfDay> {
  const { currency, day } = input;
  if (currency === 'usd')
    throw validationError([{ field: 'currency', message: 'must not be usd, whose rate is always 1' }]);
  const unitsPerUsd = BigInt(input.unitsPerUsd);
  return inTransaction(ctx, async (tx) => {
    await storeRate(tx.sql, { currency, day, unitsPerUsd }, tx.clock.now());
    return { currency, day, rate: { day, unitsPerUsd, source: 'manual' } };
  });
}

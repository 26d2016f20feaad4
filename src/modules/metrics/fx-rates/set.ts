import { validationError } from '../../../domain/errors/errors.ts';
import type { Day } from '../../../domain/metrics/range.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { storeRate } from './store.ts';
import type { RateOfDay } from './types.ts';

/** Sets a currency's exchange rate for a past or future day. Throws `validation_error` for US dollars, whose rate is always 1. */
export function setRate(
  ctx: Context,
  input: { readonly currency: string; readonly day: Day; readonly unitsPerUsd: number },
): Promise<RateOfDay> {
  const { currency, day } = input;
  if (currency === 'usd')
    throw validationError([
      { field: 'currency', message: "can't be usd, because the rate of US dollars is always 1" },
    ]);
  const unitsPerUsd = BigInt(input.unitsPerUsd);
  return inTransaction(ctx, async (tx) => {
    await storeRate(tx.sql, { currency, day, unitsPerUsd }, tx.clock.now());
    return { currency, day, rate: { day, unitsPerUsd, source: 'manual' } };
  });
}

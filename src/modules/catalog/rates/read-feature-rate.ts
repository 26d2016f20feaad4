import { type FieldProblem, QuittanceError } from '../../../domain/errors/errors.ts';
import { rateScale } from '../../../domain/money/money.ts';
import type { Pool } from '../../../domain/pricing/feature-cell.ts';
import { perUnitRate, plainUnitPrice } from '../../../domain/rates/held.ts';
import { models } from '../../../domain/rates/models.ts';
import type { Rate } from '../../../domain/rates/rate.ts';
import { type RateInput, readRate } from '../../../domain/rates/read-rate.ts';
import { problemsInInput, rateRejection } from '../../../domain/rates/rejections.ts';

/** Returns why usage that is deducted from a pool can't have a rate. Empty if it can. */
const problemsOfPool = ({ model }: Rate, pool: Pool | null): readonly FieldProblem[] =>
  pool === null || models[model].isMonotone
    ? []
    : [
        {
          field: 'rate.model',
          message: `can't be ${model} for usage that is deducted from ${pool === 'credits' ? 'credits' : 'a balance'}, because the price can fall with more usage`,
        },
      ];

/** Returns a rate that is only a price per unit in the form of unit prices or credits per unit. Returns other rates unchanged. */
function normalized(rate: Rate, pool: Pool | null): Rate {
  const price = plainUnitPrice(rate);
  if (price === null) return rate;
  return pool === 'credits' && price % rateScale === 0n
    ? perUnitRate(price / rateScale, 0)
    : perUnitRate(price);
}

/**
 * Reads the rate of a feature, whose units are whole numbers. `pool` is the pool from which usage is deducted; `null` if units are invoiced.
 * Throws `validation_error` with all problems and the reason `bad_rate`.
 */
export function readFeatureRate(input: RateInput, pool: Pool | null): Rate {
  const read = readRate(input, { decimals: 0 });
  const problems = 'problems' in read ? problemsInInput(read.problems) : problemsOfPool(read.rate, pool);
  if ('problems' in read || problems.length > 0)
    throw new QuittanceError(rateRejection('bad_rate', problems));
  return normalized(read.rate, pool);
}

import { minorToRate } from '../money/money.ts';
import type { Explanation } from '../rows/explanation.ts';
import type { LotRow } from '../rows/usage-rows.ts';
import { isoDate } from '../time/period.ts';
import { emptyLine, type LineDraft } from './line.ts';

/** Returns the line for an amount in minor units that an invoice uses from a lot. `name` describes the lot. */
export const lotLine = (
  name: string,
  { id, asset, effectiveAt }: LotRow,
  amountMinor: bigint,
  explanation: Explanation,
): LineDraft => ({
  ...emptyLine,
  lineType: 'credit',
  chargeType: 'standard',
  description: `${name} of ${isoDate(effectiveAt)}`,
  quantity: 1n,
  unitAmountRate: minorToRate(-amountMinor, asset),
  amount: -amountMinor,
  creditId: id,
  explanation,
});

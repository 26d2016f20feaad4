// The ordered list of what can stand on an invoice (BIL-13): adding a source is adding a line here and a file
// beside this one.
import { addonBase } from './addon-base.ts';
import { customerCreditLines } from './customer-credits.ts';
import { baseDiscount } from './discount.ts';
import { featureQuota, featureSeats } from './feature-counts.ts';
import { balanceOverage, featureOverage } from './feature-overage.ts';
import type { LineDetails, LineDraft, LineSource } from './line.ts';
import { planBase } from './plan-base.ts';
import { prorationCredit } from './proration.ts';

/** All sources, in the order their lines appear. */
export const lineSources: readonly LineSource[] = [
  planBase,
  baseDiscount,
  featureOverage,
  balanceOverage,
  featureSeats,
  featureQuota,
  addonBase,
  prorationCredit,
  customerCreditLines,
];

/**
 * The lines of an invoice, in order; those of amount 0 are left out unless they are the plan base (BIL-13).
 */
export function linesFor(details: LineDetails): LineDraft[] {
  const lines: LineDraft[] = [];
  for (const source of lineSources) lines.push(...source(details, lines));
  return lines.filter((line) => line.amount !== 0n || line.lineType === 'plan_base');
}

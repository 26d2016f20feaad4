// Ordered list of all sources of invoice lines (BIL-13). To add a source, add a file to this folder and an
// entry to the list.
import { addonBase } from './addon-base.ts';
import { carriedOver } from './carried-over.ts';
import { commitmentLines } from './commitments.ts';
import { customerCreditLines } from './customer-credits.ts';
import { baseDiscount } from './discount.ts';
import { featureQuota, featureSeats } from './feature-counts.ts';
import { balanceOverage, featureOverage } from './feature-overage.ts';
import type { LineDetails, LineDraft, LineSource } from './line.ts';
import { minimumTrueUp } from './minimum-spend.ts';
import { planBase } from './plan-base.ts';
import { prorationCredit } from './proration.ts';
import { correctionCharges, correctionCredits } from './usage-corrections.ts';

const lineSources: readonly LineSource[] = [
  planBase,
  baseDiscount,
  featureOverage,
  balanceOverage,
  correctionCharges,
  featureSeats,
  featureQuota,
  addonBase,
  minimumTrueUp,
  carriedOver,
  prorationCredit,
  correctionCredits,
  commitmentLines,
  customerCreditLines,
];

/** Returns the lines of an invoice in order. Omits lines with an amount of 0, except for the line of the plan's base price (BIL-13). */
export function linesFor(details: LineDetails): LineDraft[] {
  const lines: LineDraft[] = [];
  for (const source of lineSources) lines.push(...source(details, lines));
  return lines.filter((line) => line.amount !== 0n || line.lineType === 'plan_base');
}

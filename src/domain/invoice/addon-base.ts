import { minorToRate } from '../money.ts';
import { overageLine } from './feature-overage.ts';
import { emptyLine, type LineDraft, type LineFacts } from './line.ts';

/** The line of an add-on's price for a billing period, or for what is left of one. */
export const addonLine = (description: string, amountMinor: bigint, currency: string): LineDraft => ({
  ...emptyLine,
  lineType: 'addon_base',
  chargeType: 'advance',
  description,
  quantity: 1n,
  unitAmountRate: minorToRate(amountMinor, currency),
  amount: amountMinor,
});

/** Add-ons by name: the full price of the period that opens, then what the add-on's own feature owes (SUB-72, BIL-13). */
export const addonBase = ({ addons, currency }: LineFacts): readonly LineDraft[] =>
  addons.flatMap(({ name, baseMinor, usage }) => [
    ...(baseMinor === null ? [] : [addonLine(name, baseMinor, currency)]),
    ...(usage === null ? [] : [overageLine(usage, currency)]),
  ]);

import { minorToRate } from '../money/money.ts';
import { explain } from '../rows/explanation.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';

/** Returns a line for each earlier invoice that was too small to charge, with the charges carried over from that invoice (BIL-35). */
export const carriedOver = ({ carried = [], currency }: LineDetails): readonly LineDraft[] =>
  carried.map(({ issueDate, amount }) => ({
    ...emptyLine,
    lineType: 'one_time',
    chargeType: 'standard',
    description: `Carried over from the invoice of ${issueDate}`,
    quantity: 1n,
    unitAmountRate: minorToRate(BigInt(amount), currency),
    amount: BigInt(amount),
    explanation: explain('BIL-35', 'price', { price: BigInt(amount) }),
  }));

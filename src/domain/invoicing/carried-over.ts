import { minorToRate } from '../money/money.ts';
import { explain } from '../rows/explanation.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';

/**
 * Returns a line for each earlier invoice whose charges were carried over because its total was too small
 * to charge (BIL-35).
 */
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

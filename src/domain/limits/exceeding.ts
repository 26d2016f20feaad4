// Customers and budgets whose usage exceeds a limit.
import { compare, type Exact, ratio, whole } from '../rates/exact.ts';
import { mostOf, type Tried, valueAfter } from './admission.ts';
import { isFalling } from './limit.ts';

/** Returns true if the value of a limit is beyond its amount with its raises. A limit without an amount is never exceeded. */
function isExceeded(tried: Tried): boolean {
  const most = mostOf(tried);
  if (most === null) return false;
  const order = compare(valueAfter(tried), whole(most));
  return isFalling(tried.limit) ? order < 0 : order > 0;
}

/** Value of an exceeded limit in relation to its amount, by which limits are sorted. `null` if the amount is 0. */
const shareOf = (tried: Tried): Exact | null => {
  const most = mostOf(tried) ?? 0n;
  const value = valueAfter(tried);
  return most === 0n ? null : ratio(value.numerator, value.denominator * most);
};

/** Compares exceeded limits: the limit that is exceeded the most first. */
function byExcess(a: Tried, b: Tried): number {
  const [first, second] = [shareOf(a), shareOf(b)];
  const order =
    first === null || second === null ? compare(valueAfter(a), valueAfter(b)) : compare(first, second);
  return isFalling(a.limit) ? order : -order;
}

/** Returns the nodes whose value exceeds a limit, the node with the largest excess first. */
export const exceeding = (values: readonly Tried[]): Tried[] => values.filter(isExceeded).sort(byExcess);

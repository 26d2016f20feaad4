// Rolling windows. Sums are kept by step; a step leaves when it is completely outside the window. Any span of the window's length
// therefore contains at most the amount.
import { type Exact, isZero, larger, plus, zero } from '../rates/exact.ts';
import type { LimitWindow } from './limit.ts';
import { lengthOf } from './windows.ts';

/** Sum of the movements in a step of a rolling window. */
export type Part = { readonly step: number; readonly amount: Exact };

/** Number of a `calls` limit's latest calls whose exact times are kept. */
export const exactCalls = 64;

const stepsOf = ({ steps }: LimitWindow): number => steps ?? 60;

/** Returns the step of a time. Steps of exact windows are milliseconds. */
const stepAt = (window: LimitWindow, at: number, isExact: boolean): number =>
  isExact ? at : Math.floor((at * stepsOf(window)) / lengthOf(window));

/** Returns the first time at which a step is outside the window. */
export function leavesAt(window: LimitWindow, step: number, isExact: boolean): number {
  const length = lengthOf(window);
  if (isExact) return step + length;
  const steps = stepsOf(window);
  return Math.ceil(((step + steps + 1) * length) / steps);
}

/** Returns the parts that are in the window at a time. */
export const partsAt = (window: LimitWindow, parts: readonly Part[], at: number, isExact: boolean): Part[] =>
  parts.filter(({ step }) => leavesAt(window, step, isExact) > at);

/** Returns the parts after a movement at a time. */
export function withPart(
  window: LimitWindow,
  parts: readonly Part[],
  { at, amount, isExact }: { readonly at: number; readonly amount: Exact; readonly isExact: boolean },
): Part[] {
  const step = stepAt(window, at, isExact);
  const last = parts.at(-1);
  if (last?.step === step) return [...parts.slice(0, -1), { step, amount: plus(last.amount, amount) }];
  return [...parts, { step, amount }];
}

/** Returns the parts after a change of a movement at an earlier time. Parts that have left the window don't change. */
export function withChange(
  window: LimitWindow,
  parts: readonly Part[],
  { at, amount, isExact }: { readonly at: number; readonly amount: Exact; readonly isExact: boolean },
): Part[] {
  const index = parts.findIndex(({ step }) => step === stepAt(window, at, isExact));
  return parts
    .map((part, place) =>
      place === index ? { ...part, amount: larger(zero, plus(part.amount, amount)) } : part,
    )
    .filter((part) => !isZero(part.amount));
}

export const sumOf = (parts: readonly Part[]): Exact =>
  parts.reduce((sum, { amount }) => plus(sum, amount), zero);

// Fields of limits in requests, and the form of the rules that check them.
import type { FieldProblem } from '../errors/errors.ts';
import type { LimitRow } from './limit.ts';

/** Fields of a new limit that depend on each other. */
export type LimitTerms = Pick<
  LimitRow,
  | 'customerId'
  | 'each'
  | 'budgetKey'
  | 'planId'
  | 'apiKeyId'
  | 'memberId'
  | 'measure'
  | 'currency'
  | 'asset'
  | 'filter'
  | 'window'
  | 'amount'
  | 'amounts'
  | 'share'
  | 'thresholds'
  | 'action'
  | 'channels'
  | 'recipients'
  | 'notifyResolved'
  | 'anomaly'
  | 'replaces'
>;

/** Returns the problems of a limit that a rule finds. */
export type Rule = (terms: LimitTerms) => FieldProblem[];

export const problem = (field: string, message: string): FieldProblem[] => [{ field, message }];

export const hasTwice = (names: readonly string[]): boolean => new Set(names).size < names.length;

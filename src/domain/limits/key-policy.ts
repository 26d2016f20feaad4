// Policies of API keys, which are limits on the operations of the key. Amounts are in US cents.
import type { FieldProblem } from '../errors/errors.ts';
import { limitWindow } from './limit.ts';
import { includesOperation, type NamedOperation, type OperationLimit } from './operation-limits.ts';

/** Operations that a key can or can't call: names of operations, or names of areas. */
export type OperationList = { readonly allow: readonly string[] } | { readonly deny: readonly string[] };

/** Customers that a key can change: their IDs, or a property of their metadata. */
export type PolicyCustomers =
  | { readonly ids: readonly string[] }
  | { readonly metadata: { readonly key: string; readonly value: string } };

/** Policy of an API key. Fields that don't limit the key are `null`. */
export type KeyPolicy = {
  readonly operations: OperationList | null;
  readonly customers: PolicyCustomers | null;
  readonly maxAmountPerCall: number | null;
  readonly maxAmountPerDay: number | null;
  readonly maxCallsPerHour: number | null;
  /** Calls that move more money need the approval of a member. */
  readonly approveAbove: number | null;
  /** Operations or areas that need the approval of a member. */
  readonly approveOperations: readonly string[];
};

/** Policy that limits nothing. */
export const openPolicy: KeyPolicy = {
  operations: null,
  customers: null,
  maxAmountPerCall: null,
  maxAmountPerDay: null,
  maxCallsPerHour: null,
  approveAbove: null,
  approveOperations: [],
};

/** Returns true if a policy lets a key call an operation. */
export function allowsOperation({ operations }: KeyPolicy, operation: NamedOperation): boolean {
  if (operations === null) return true;
  return 'allow' in operations
    ? includesOperation(operations.allow, operation)
    : !includesOperation(operations.deny, operation);
}

/** Returns true if an operation always needs the approval of a member. */
export const needsApproval = ({ approveOperations }: KeyPolicy, operation: NamedOperation): boolean =>
  includesOperation(approveOperations, operation);

/** Amounts of a policy. Amounts that don't limit the key are `null`. */
export type PolicyAmounts = Pick<
  KeyPolicy,
  'maxAmountPerCall' | 'maxAmountPerDay' | 'maxCallsPerHour' | 'approveAbove'
>;

type Derived = Pick<OperationLimit, 'measure' | 'window' | 'action'> & {
  readonly field: keyof PolicyAmounts;
};

/** Limits of the fields of a policy. Days are UTC days. */
const derived: readonly Derived[] = [
  { field: 'maxAmountPerCall', measure: 'money', window: limitWindow('event'), action: 'block' },
  {
    field: 'maxAmountPerDay',
    measure: 'money',
    window: limitWindow('day', { timeZone: 'UTC' }),
    action: 'block',
  },
  {
    field: 'maxCallsPerHour',
    measure: 'calls',
    window: limitWindow('rolling', { minutes: 60 }),
    action: 'block',
  },
  { field: 'approveAbove', measure: 'money', window: limitWindow('event'), action: 'approve' },
];

/** Returns the limits of a policy. */
export const policyLimits = (policy: PolicyAmounts): OperationLimit[] =>
  derived.flatMap(({ field, ...limit }) => {
    const amount = policy[field];
    return amount === null
      ? []
      : [{ id: null, name: field, setBy: 'merchant', operations: [], amount: BigInt(amount), ...limit }];
  });

const lower = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** Returns a policy with additional limits. Limits can only become lower. `null` if nothing limits the key. */
export function narrowPolicy(policy: KeyPolicy | null, limits: PolicyAmounts): KeyPolicy | null {
  const before = policy ?? openPolicy;
  const narrowed = derived.map(({ field }) => [field, lower(before[field], limits[field])] as const);
  return policy === null && narrowed.every(([, amount]) => amount === null)
    ? null
    : { ...before, ...Object.fromEntries(narrowed) };
}

const most = { operations: 50, customers: 1_000 } as const;

/** Returns the problems of a policy. `isKnown` is true for names of operations and areas. */
export function policyProblems(policy: KeyPolicy, isKnown: (name: string) => boolean): FieldProblem[] {
  const { operations, approveOperations, customers, approveAbove, maxAmountPerCall, maxAmountPerDay } =
    policy;
  const lists: readonly (readonly [field: string, names: readonly string[]])[] = [
    ...(operations === null
      ? []
      : 'allow' in operations
        ? [['operations.allow', operations.allow] as const]
        : [['operations.deny', operations.deny] as const]),
    ['approveOperations', approveOperations],
  ];
  const problems = lists.flatMap(([field, names]): FieldProblem[] => {
    if (names.length > most.operations)
      return [{ field, message: `must have at most ${most.operations} items` }];
    const unknown = names.find((name) => !isKnown(name));
    return unknown === undefined
      ? []
      : [{ field, message: `contains an unknown operation or area: ${unknown}` }];
  });
  if (customers !== null && 'ids' in customers && customers.ids.length > most.customers)
    problems.push({ field: 'customers.ids', message: 'must have at most 1,000 items' });
  if (approveAbove !== null && maxAmountPerCall !== null && approveAbove > maxAmountPerCall)
    problems.push({ field: 'approveAbove', message: 'must be at most `maxAmountPerCall`' });
  if (maxAmountPerCall !== null && maxAmountPerDay !== null && maxAmountPerCall > maxAmountPerDay)
    problems.push({ field: 'maxAmountPerCall', message: 'must be at most `maxAmountPerDay`' });
  return problems;
}

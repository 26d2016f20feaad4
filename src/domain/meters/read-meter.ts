// Validation of meters (PRM-10, PRM-120).
import { type FieldProblem, type Rejection, validationRejection } from '../errors/errors.ts';
import { readDecimal } from '../rates/decimal.ts';
import type { Aggregation, MeterDocument, MeterFilter } from './meter.ts';

/** Meter in a request. Fields are missing if they are `undefined` or `null`. */
export type MeterInput = {
  readonly aggregation: Aggregation;
  readonly property?: string | null | undefined;
  readonly decimals?: number | null | undefined;
  readonly step?: string | null | undefined;
  readonly minimumPerEvent?: string | null | undefined;
  readonly filters?:
    | readonly {
        readonly property: string;
        readonly in?: readonly string[] | null | undefined;
        readonly notIn?: readonly string[] | null | undefined;
      }[]
    | null
    | undefined;
};

/** Reason why a meter is rejected. `not_known_at_once`: the plan needs the total after each event. */
export type MeterReason = 'bad_meter' | 'not_known_at_once';

/** Returns a `validation_error` with the reason and all problems in `details`. Throws if the list is empty. */
export const meterRejection = (reason: MeterReason, problems: readonly FieldProblem[]): Rejection => ({
  ...validationRejection(problems),
  details: { reason, problems },
});

/** Reads a decimal above 0 with at most `decimals` decimals. Adds a problem if it's invalid. */
function readAmount(
  field: 'step' | 'minimumPerEvent',
  value: string | null | undefined,
  decimals: number,
  problems: FieldProblem[],
): string | null {
  if (value === undefined || value === null) return null;
  const read = readDecimal(value, { decimals });
  if (typeof read !== 'string' && read.units > 0n) return value;
  problems.push({ field, message: typeof read === 'string' ? read : 'must be greater than 0' });
  return null;
}

function readFilters(filters: MeterInput['filters'], problems: FieldProblem[]): readonly MeterFilter[] {
  return (filters ?? []).map(({ property, in: included, notIn: excluded }, index): MeterFilter => {
    const [some, none] = [included ?? null, excluded ?? null];
    if ((some === null) === (none === null))
      problems.push({ field: `filters.${index}`, message: 'must contain either `in` or `notIn`' });
    return some === null ? { property, notIn: none ?? [] } : { property, in: some };
  });
}

/** Returns the problems of fields that the aggregation doesn't use or requires. */
function aggregationProblems({ aggregation, property, ...input }: MeterInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const isSet = (value: unknown): boolean => value !== undefined && value !== null;
  if (aggregation === 'unique' && !isSet(property))
    problems.push({ field: 'property', message: 'is required if `aggregation` is `unique`' });
  if (aggregation !== 'count' && aggregation !== 'unique') return problems;
  if (aggregation === 'count' && isSet(property))
    problems.push({ field: 'property', message: "can't be set if `aggregation` is `count`" });
  if ((input.decimals ?? 0) > 0)
    problems.push({ field: 'decimals', message: `must be 0 if \`aggregation\` is \`${aggregation}\`` });
  for (const field of ['step', 'minimumPerEvent'] as const)
    if (isSet(input[field]))
      problems.push({ field, message: `can't be set if \`aggregation\` is \`${aggregation}\`` });
  return problems;
}

/** Reads a meter. Returns the meter, or all problems with their field paths, such as `filters.0`. */
export function readMeter(
  input: MeterInput,
): { readonly meter: MeterDocument } | { readonly problems: readonly FieldProblem[] } {
  const problems = aggregationProblems(input);
  const decimals = input.decimals ?? 0;
  const step = readAmount('step', input.step, decimals, problems);
  const minimumPerEvent = readAmount('minimumPerEvent', input.minimumPerEvent, decimals, problems);
  const filters = readFilters(input.filters, problems);
  const { aggregation, property = null } = input;
  const meter: MeterDocument = {
    aggregation,
    ...(property === null ? {} : { property }),
    decimals,
    ...(step === null ? {} : { step }),
    ...(minimumPerEvent === null ? {} : { minimumPerEvent }),
    ...(filters.length === 0 ? {} : { filters }),
  };
  return problems.length > 0 ? { problems } : { meter };
}

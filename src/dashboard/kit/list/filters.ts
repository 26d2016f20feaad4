import { dayStart } from '../../../ui/format/dates.ts';

// Filters of a list: available fields, active filters, and their format in the URL.

type FilterOption = { readonly value: string; readonly label: string };

type FieldBase = { readonly id: string; readonly label: string };

export type FilterField =
  | (FieldBase & {
      readonly kind: 'choice';
      readonly options: readonly FilterOption[];
      readonly isSingle?: boolean;
      /** True if a row can have no value or several values, which makes `not` unavailable. */
      readonly isPartial?: boolean;
      /** True if the options are loaded from the service. In this case, IDs in the URL are accepted before the options are known. */
      readonly isLoaded?: boolean;
    })
  | (FieldBase & {
      readonly kind: 'text';
      readonly isExact?: boolean;
      /** Pattern that the text must match. */
      readonly pattern?: RegExp;
    })
  | (FieldBase & { readonly kind: 'number' })
  /** Amount field. Its values are in minor units of the currency. */
  | (FieldBase & { readonly kind: 'money'; readonly currency: string })
  | (FieldBase & { readonly kind: 'date' })
  | (FieldBase & { readonly kind: 'boolean' });

const comparisons = [
  'is',
  'not',
  'contains',
  'above',
  'below',
  'between',
  'last',
  'next',
  'since',
  'before',
] as const;

export type Comparison = (typeof comparisons)[number];

/** Active filter. Values are option values, strings, whole numbers, dates as `YYYY-MM-DD`, or durations such as `30d`. */
export type Filter = {
  readonly field: string;
  readonly comparison: Comparison;
  readonly values: readonly string[];
};

const comparisonsByKind: Readonly<Record<FilterField['kind'], readonly Comparison[]>> = {
  choice: ['is', 'not'],
  text: ['is', 'contains'],
  number: ['is', 'above', 'below', 'between'],
  money: ['is', 'above', 'below', 'between'],
  date: ['last', 'next', 'since', 'before', 'between'],
  boolean: ['is'],
};

/** Returns the comparisons of a field, the default first. */
export const comparisonsOf = (field: FilterField): readonly Comparison[] =>
  (field.kind === 'choice' && (field.isSingle === true || field.isPartial === true)) ||
  (field.kind === 'text' && field.isExact === true)
    ? ['is']
    : comparisonsByKind[field.kind];

const id = /^\w{1,100}$/;

const span = /^\d{1,4}[hdwm]$/;

/** True if a string is a valid date in the format `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(dayStart(text));
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** True if a value is valid for a field and comparison. */
function fits(field: FilterField, comparison: Comparison, value: string): boolean {
  switch (field.kind) {
    case 'choice':
      return (
        field.options.some((option) => option.value === value) ||
        (field.isLoaded === true && comparison === 'is' && id.test(value))
      );
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'number':
    case 'money':
      return /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value));
    case 'date':
      return comparison === 'last' || comparison === 'next' ? span.test(value) : isDay(value);
    default:
      return field.pattern?.test(value) ?? value !== '';
  }
}

const counts: Partial<Record<Comparison, number>> = { between: 2 };

/** True if the field of a filter exists and supports its comparison and values. */
export function isValid(filter: Filter, fields: readonly FilterField[]): boolean {
  const field = fields.find(({ id }) => id === filter.field);
  if (field === undefined || !comparisonsOf(field).includes(filter.comparison)) return false;
  const many = field.kind === 'choice' && field.isSingle !== true;
  const count = many ? filter.values.length : (counts[filter.comparison] ?? 1);
  return (
    count > 0 &&
    filter.values.length === count &&
    filter.values.every((value) => fits(field, filter.comparison, value))
  );
}

const escaped = (value: string): string => value.replace(/[%,:]/g, encodeURIComponent);

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Formats a filter for the URL: `active,past_due`, `not:DE`, `last:30d`, `between:100,200`. */
export const filterText = ({ comparison, values }: Filter): string =>
  `${comparison === 'is' ? '' : `${comparison}:`}${values.map(escaped).join(',')}`;

/** Parses a filter from the URL. `null` if it is invalid, as in an outdated link. */
export function filterFromText(id: string, text: string, fields: readonly FilterField[]): Filter | null {
  const [, head, rest = ''] = /^(?:([a-z]+):)?(.*)$/s.exec(text) ?? [];
  const comparison = comparisons.find((known) => known === (head ?? 'is'));
  if (comparison === undefined) return null;
  const filter = { field: id, comparison, values: rest.split(',').map(unescaped) };
  return isValid(filter, fields) ? filter : null;
}

/** Adds a filter, and replaces an existing filter of the same field. */
export const withFilter = (filters: readonly Filter[], filter: Filter): Filter[] =>
  filters.some(({ field }) => field === filter.field)
    ? filters.map((old) => (old.field === filter.field ? filter : old))
    : [...filters, filter];

export const withoutFilter = (filters: readonly Filter[], field: string): Filter[] =>
  filters.filter((filter) => filter.field !== field);

// Filters of a list as data: which fields there are, what was chosen, and how the address carries it.

export type FilterOption = { readonly value: string; readonly label: string };

type FieldBase = { readonly id: string; readonly label: string };

/** A field a list can be filtered by. */
export type FilterField =
  | (FieldBase & {
      readonly kind: 'choice';
      readonly options: readonly FilterOption[];
      readonly isSingle?: boolean;
      /** Rows can have none or several of the values, so that they cannot be listed by those they do not have. */
      readonly isPartial?: boolean;
      /** The options are things that are loaded: ids in an address are taken before their names are there. */
      readonly isLoaded?: boolean;
    })
  | (FieldBase & {
      readonly kind: 'text';
      readonly isExact?: boolean;
      /** What a text has to look like. */
      readonly pattern?: RegExp;
    })
  | (FieldBase & { readonly kind: 'number' })
  /** Values are minor units of the currency. */
  | (FieldBase & { readonly kind: 'money'; readonly currency: string })
  | (FieldBase & { readonly kind: 'date' })
  | (FieldBase & { readonly kind: 'boolean' });

export const comparisons = [
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

/** A chosen filter. Values: those of options, texts, whole numbers, dates as `YYYY-MM-DD`, spans such as `30d`. */
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

/** The comparisons a field has, the usual one first. */
export const comparisonsOf = (field: FilterField): readonly Comparison[] =>
  (field.kind === 'choice' && (field.isSingle === true || field.isPartial === true)) ||
  (field.kind === 'text' && field.isExact === true)
    ? ['is']
    : comparisonsByKind[field.kind];

const id = /^\w{1,100}$/;

const span = /^\d{1,4}[hdwm]$/;

/** Whether a text is a day, as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Whether a value can be one of a filter by a field. */
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

/** Whether a filter means something: a field that exists, a comparison it has, values that fit. */
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

/** A filter in an address: `active,past_due`, `not:DE`, `last:30d`, `between:100,200`. */
export const filterText = ({ comparison, values }: Filter): string =>
  `${comparison === 'is' ? '' : `${comparison}:`}${values.map(escaped).join(',')}`;

/** A filter from an address; null where it means nothing, as in an old link. */
export function filterFromText(id: string, text: string, fields: readonly FilterField[]): Filter | null {
  const [, head, rest = ''] = /^(?:([a-z]+):)?(.*)$/s.exec(text) ?? [];
  const comparison = comparisons.find((known) => known === (head ?? 'is'));
  if (comparison === undefined) return null;
  const filter = { field: id, comparison, values: rest.split(',').map(unescaped) };
  return isValid(filter, fields) ? filter : null;
}

/** A filter replaced or added; one by the same field goes. */
export const withFilter = (filters: readonly Filter[], filter: Filter): Filter[] =>
  filters.some(({ field }) => field === filter.field)
    ? filters.map((old) => (old.field === filter.field ? filter : old))
    : [...filters, filter];

/** Filters without the one by a field. */
export const withoutFilter = (filters: readonly Filter[], field: string): Filter[] =>
  filters.filter((filter) => filter.field !== field);

import type { InputType, SchemaTypes } from '@pothos/core';
import { validationError } from '../../domain/errors/errors.ts';
import { type Condition, compares, isAmong, overlaps } from '../../platform/db/row-lists.ts';
import type { ModelName, Row } from '../../platform/db/rows.ts';
import type { Rule } from '../declare/rules.ts';
import { builder } from './builder.ts';
import type { NarrowingMember, ValueIndex } from './list-rows.ts';

// Filter fields for lists, with the SQL conditions for their values. Values are always passed as parameters.

type Types = typeof builder.$inferSchemaTypes;
type AnyInput = InputType<Types & SchemaTypes>;

/** Filter field with its GraphQL type, description, and rule. */
export type FilterMember = NarrowingMember & {
  readonly type: AnyInput | [AnyInput];
  readonly description: string;
  readonly rule?: Rule;
};

export const SortDirection = builder.enumType('SortDirection', {
  description: 'Sort direction.',
  values: {
    asc: { description: 'Ascending: smallest values first.' },
    desc: { description: 'Descending: largest values first.' },
  } as const,
});

const DateTimeRange = builder.inputType('DateTimeRange', {
  description: 'Time range. Omit `from` or `to` for an open-ended range.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'Start of the range, inclusive.' }),
    to: t.field({ type: 'DateTime', description: 'End of the range, exclusive. Must be after `from`.' }),
  }),
});

const DateRange = builder.inputType('DateRange', {
  description: 'Date range, inclusive. Omit `from` or `to` for an open-ended range.',
  fields: (t) => ({
    from: t.field({ type: 'Date', description: 'First day of the range.' }),
    to: t.field({ type: 'Date', description: 'Last day of the range. Must not be before `from`.' }),
  }),
});

const AmountRange = builder.inputType('AmountRange', {
  description: 'Amount range, inclusive. Omit `min` or `max` for an open-ended range.',
  fields: (t) => ({
    min: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Smallest amount, in the smallest currency unit, such as cents.',
    }),
    max: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Largest amount, in the smallest currency unit. Must not be less than `min`.',
    }),
  }),
});

const all =
  (conditions: readonly Condition[]): Condition =>
  (bind) =>
    conditions.length === 0 ? 'true' : `(${conditions.map((condition) => condition(bind)).join(' AND ')})`;

type Ends = { readonly from?: Date | null; readonly to?: Date | null };
type Days = { readonly from?: string | null; readonly to?: string | null };
type Bounds = { readonly min?: number | null; readonly max?: number | null };

/** Maximum number of IDs in a filter. A filter by ID selects rows that a user picked. */
export const mostIds = 1_000;

/** Returns the declaration of a filter field that accepts several values. */
const oneOfMany = (type: AnyInput, description: string, rule: Rule = {}) => ({
  type: [type] as [AnyInput],
  description: `${description} From 1 to 100 values.`,
  rule: { ...rule, minItems: 1, maxItems: 100 },
});

/** Declares filter fields for the rows of a model. */
export class Members<M extends ModelName> {
  readonly #model: M;
  constructor(model: M) {
    this.#model = model;
  }

  /** Matches rows by ID. Unknown IDs are ignored. Uses the primary key. */
  ids(): FilterMember {
    return {
      type: ['ID'],
      description: `IDs to include, from 1 to ${mostIds.toLocaleString('en')}. IDs that don't exist are ignored.`,
      rule: { minItems: 1, maxItems: mostIds },
      index: { name: `${this.#model}_pkey`, column: 'id', isKey: true },
      condition: (values) => isAmong(this.#model, { column: 'id', values: values as readonly string[] }),
    };
  }

  /** Matches rows whose column has one of the values. */
  oneOf(
    column: keyof Row<M> & string,
    type: AnyInput,
    description: string,
    options: { rule?: Rule; index?: Omit<ValueIndex, 'column' | 'expression'> } = {},
  ): FilterMember {
    return {
      ...oneOfMany(type, description, options.rule),
      index: options.index === undefined ? undefined : { ...options.index, column },
      // The cast is safe because the filter field's GraphQL type accepts only strings.
      condition: (values) => isAmong(this.#model, { column, values: values as readonly string[] }),
    };
  }

  /** Matches rows whose list column contains at least one of the values. */
  anyOf(column: keyof Row<M> & string, type: AnyInput, description: string): FilterMember {
    return {
      ...oneOfMany(type, description),
      condition: (values) => overlaps(this.#model, column, values as readonly string[]),
    };
  }

  /** Matches rows whose column is in a time range. */
  instants(column: keyof Row<M> & string, description: string): FilterMember {
    return {
      type: DateTimeRange,
      description,
      condition: (value, { path }) => {
        const { from, to } = value as Ends;
        if (from && to && from >= to)
          throw validationError([{ field: `${path}.to`, message: 'must be after the start of the range' }]);
        return all([
          ...(from ? [compares(this.#model, column, '>=', from)] : []),
          ...(to ? [compares(this.#model, column, '<', to)] : []),
        ]);
      },
    };
  }

  /** Matches rows whose column is in a date range. The column contains dates in the format `YYYY-MM-DD`. */
  days(column: keyof Row<M> & string, description: string): FilterMember {
    return {
      type: DateRange,
      description,
      condition: (value, { path }) => {
        const { from, to } = value as Days;
        if (from && to && from > to)
          throw validationError([{ field: `${path}.to`, message: "can't be before the start of the range" }]);
        return all([
          ...(from ? [compares(this.#model, column, '>=', from)] : []),
          ...(to ? [compares(this.#model, column, '<=', to)] : []),
        ]);
      },
    };
  }

  /** Matches rows whose column is in a range of amounts, in minor units. */
  amounts(column: keyof Row<M> & string, description: string): FilterMember {
    return {
      type: AmountRange,
      description,
      condition: (value, { path }) => {
        const { min, max } = value as Bounds;
        if (typeof min === 'number' && typeof max === 'number' && min > max)
          throw validationError([
            { field: `${path}.max`, message: "can't be less than the minimum of the range" },
          ]);
        return all([
          ...(typeof min === 'number' ? [compares(this.#model, column, '>=', min)] : []),
          ...(typeof max === 'number' ? [compares(this.#model, column, '<=', max)] : []),
        ]);
      },
    };
  }

  /** Matches rows by a Boolean SQL condition on the alias `t`. `now` returns the environment's time as SQL. */
  flag(where: (now: () => string) => string, description: string): FilterMember {
    return {
      type: 'Boolean',
      description,
      condition:
        (isWanted, { now }) =>
        (bind) => {
          const text = where(() => `${bind(now)}::timestamptz`);
          return isWanted === true ? `(${text})` : `(${text}) IS NOT TRUE`;
        },
    };
  }

  /** Matches rows by a column in a related table with the alias `s`. `within` is the SQL after SELECT that joins the table. */
  oneOfRelated<R extends ModelName>(
    { model, within }: { readonly model: R; readonly within: string },
    column: keyof Row<R> & string,
    type: AnyInput,
    description: string,
  ): FilterMember {
    return {
      ...oneOfMany(type, description),
      within,
      condition: (values) => isAmong(model, { column, values: values as readonly string[] }, 's'),
    };
  }
}

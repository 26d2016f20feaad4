import type { InputType, SchemaTypes } from '@pothos/core';
import { validationError } from '../domain/errors.ts';
import { type Condition, compares, isAmong, overlaps } from '../platform/db/row-lists.ts';
import type { ModelName, Row } from '../platform/db/rows.ts';
import { builder } from './builder.ts';
import type { NarrowingMember, ValueIndex } from './list-rows.ts';
import type { Rule } from './rules.ts';

// The members of a list's filter: what a caller sends, and the condition on rows it becomes. Values are always parameters.

type Types = typeof builder.$inferSchemaTypes;
type AnyInput = InputType<Types & SchemaTypes>;

/** A member of a filter, with how it is declared in the schema. */
export type FilterMember = NarrowingMember & {
  readonly type: AnyInput | [AnyInput];
  readonly description: string;
  readonly rule?: Rule;
};

export const SortDirection = builder.enumType('SortDirection', {
  description: 'Which rows come first.',
  values: {
    asc: { description: 'Those with the smallest values.' },
    desc: { description: 'Those with the greatest values.' },
  } as const,
});

const DateTimeRange = builder.inputType('DateTimeRange', {
  description: 'A range of instants; without one of its ends it is open there.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'The first instant of the range, inclusive.' }),
    to: t.field({ type: 'DateTime', description: 'The end of the range, exclusive; after `from`.' }),
  }),
});

const DateRange = builder.inputType('DateRange', {
  description: 'A range of days, both ends included; without one of them it is open there.',
  fields: (t) => ({
    from: t.field({ type: 'Date', description: 'The first day.' }),
    to: t.field({ type: 'Date', description: 'The last day; not before `from`.' }),
  }),
});

const AmountRange = builder.inputType('AmountRange', {
  description: 'A range of amounts, both ends included; without one of them it is open there.',
  fields: (t) => ({
    min: t.field({ type: 'SafeInt', amount: 'MINOR', description: 'The smallest amount, minor units.' }),
    max: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'The greatest amount, minor units; not below `min`.',
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

/** Ids that can be sent of rows of a list: the rows somebody has selected. */
export const mostIds = 1_000;

/** How a member of several values is declared. */
const oneOfMany = (type: AnyInput, description: string, rule: Rule = {}) => ({
  type: [type] as [AnyInput],
  description: `${description} 1 to 100 values.`,
  rule: { ...rule, minItems: 1, maxItems: 100 },
});

/** The members a filter of rows of a model can have. */
export class Members<M extends ModelName> {
  readonly #model: M;
  constructor(model: M) {
    this.#model = model;
  }

  /** The rows with the ids sent, of which each is looked up by the primary key. Unknown ids find nothing. */
  ids(): FilterMember {
    return {
      type: ['ID'],
      description: `Their ids, 1 to ${mostIds}. Unknown ones are passed over.`,
      rule: { minItems: 1, maxItems: mostIds },
      index: { name: `${this.#model}_pkey`, column: 'id', isKey: true },
      condition: (values) => isAmong(this.#model, { column: 'id', values: values as readonly string[] }),
    };
  }

  /** Rows whose column has one of the values sent. */
  oneOf(
    column: keyof Row<M> & string,
    type: AnyInput,
    description: string,
    options: { rule?: Rule; index?: Omit<ValueIndex, 'column' | 'expression'> } = {},
  ): FilterMember {
    return {
      ...oneOfMany(type, description, options.rule),
      index: options.index === undefined ? undefined : { ...options.index, column },
      // The type of the member lets nothing else through.
      condition: (values) => isAmong(this.#model, { column, values: values as readonly string[] }),
    };
  }

  /** Rows whose column holds a list with one of the values sent. */
  anyOf(column: keyof Row<M> & string, type: AnyInput, description: string): FilterMember {
    return {
      ...oneOfMany(type, description),
      condition: (values) => overlaps(this.#model, column, values as readonly string[]),
    };
  }

  /** Rows whose column holds an instant of a range. */
  instants(column: keyof Row<M> & string, description: string): FilterMember {
    return {
      type: DateTimeRange,
      description,
      condition: (value, { path }) => {
        const { from, to } = value as Ends;
        if (from && to && from >= to)
          throw validationError([
            { field: `${path}.to`, message: 'must be after the beginning of the range' },
          ]);
        return all([
          ...(from ? [compares(this.#model, column, '>=', from)] : []),
          ...(to ? [compares(this.#model, column, '<', to)] : []),
        ]);
      },
    };
  }

  /** Rows whose column holds a day of a range, written `YYYY-MM-DD`. */
  days(column: keyof Row<M> & string, description: string): FilterMember {
    return {
      type: DateRange,
      description,
      condition: (value, { path }) => {
        const { from, to } = value as Days;
        if (from && to && from > to)
          throw validationError([
            { field: `${path}.to`, message: 'must not be before the beginning of the range' },
          ]);
        return all([
          ...(from ? [compares(this.#model, column, '>=', from)] : []),
          ...(to ? [compares(this.#model, column, '<=', to)] : []),
        ]);
      },
    };
  }

  /** Rows whose column holds an amount of a range, minor units. */
  amounts(column: keyof Row<M> & string, description: string): FilterMember {
    return {
      type: AmountRange,
      description,
      condition: (value, { path }) => {
        const { min, max } = value as Bounds;
        if (typeof min === 'number' && typeof max === 'number' && min > max)
          throw validationError([{ field: `${path}.max`, message: 'must not be below the smallest amount' }]);
        return all([
          ...(typeof min === 'number' ? [compares(this.#model, column, '>=', min)] : []),
          ...(typeof max === 'number' ? [compares(this.#model, column, '<=', max)] : []),
        ]);
      },
    };
  }

  /** Rows that pass a condition in SQL on `t`, or those that do not. It is told the time by the clock of the environment. */
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

  /** Rows that lead to rows `s` of another table, which is told as what follows SELECT, whose column has one of the values sent. */
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

import type { FilterField } from '../kit/list/filters.ts';

type Traits = Pick<Extract<FilterField, { readonly kind: 'choice' }>, 'isPartial'>;

/** Creates a filter field with options from `labels`. */
export const choiceField = <Value extends string>(
  id: string,
  label: string,
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
  traits: Traits = {},
): FilterField => ({
  id,
  label,
  kind: 'choice',
  options: values.map((value) => ({ value, label: labels[value] })),
  ...traits,
});

/** Creates a filter field for objects with names, such as plans. */
export const namedField = (
  id: string,
  label: string,
  things: readonly { readonly id: string; readonly name: string }[],
  traits: Traits = {},
): FilterField => ({
  id,
  label,
  kind: 'choice',
  isLoaded: true,
  options: things.map((thing) => ({ value: thing.id, label: thing.name })),
  ...traits,
});

import type { FilterField } from '../kit/list/filters.ts';

type Traits = Pick<Extract<FilterField, { readonly kind: 'choice' }>, 'isPartial'>;

/** A filter by one or more of these values, called as `labels` says. */
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

/** A filter by one or more things with a name, such as plans. */
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

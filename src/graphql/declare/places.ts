import type { FieldNode, GraphQLResolveInfo } from 'graphql';

/** Place of a field in a running operation. Each execution has its own object of variables. */
type Place = Pick<GraphQLResolveInfo, 'fieldNodes' | 'variableValues'>;

/**
 * Returns a function that creates a value once per field of a running operation. The parents of a field share the value,
 * because a field has the same arguments for all parents.
 */
export function oncePerField<T>(): (place: Place, make: () => T) => T {
  const known = new WeakMap<Place['variableValues'], Map<readonly FieldNode[], T>>();
  return ({ fieldNodes, variableValues }, make) =>
    known.getOrInsertComputed(variableValues, () => new Map()).getOrInsertComputed(fieldNodes, make);
}

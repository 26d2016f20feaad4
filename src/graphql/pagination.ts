import type { ObjectRef, UnionRef } from '@pothos/core';
import { builder } from './builder.ts';
import { pageArguments } from './pages.ts';
import { connections } from './relations.ts';

/** The named connection type of an object type or union, shared by every field that lists it. */
export function connectionOf<Shape>(
  name: string,
  node:
    | ObjectRef<typeof builder.$inferSchemaTypes, Shape>
    | UnionRef<typeof builder.$inferSchemaTypes, Shape>,
  of: string,
) {
  const connection = builder.connectionObject(
    { name: `${name}Connection`, type: node, description: `A page of ${of}, newest first.` },
    { name: `${name}Edge`, description: `One of the ${of} and its place in the list.` },
  );
  connections.set(node, connection);
  return connection;
}

/** The two page arguments, for the `args` of a list field: pages of at most `most` rows, and of `defaultSize` where neither is sent. */
export const pageArgs = (...sizes: Parameters<typeof pageArguments>) =>
  builder.args((t) => {
    const { first, after } = pageArguments(...sizes);
    return { first: t.field(first), after: t.field(after) };
  });

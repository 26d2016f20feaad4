import type { ObjectRef, UnionRef } from '@pothos/core';
import { builder } from './builder.ts';
import type { BoundedCount, Page, PageMarks } from './connections.ts';
import { pageArguments } from './pages.ts';
import { connections } from './relations.ts';

/** Declares an argument that limits how many results are counted. */
export const bound = (usual: number, most: number) =>
  ({
    type: 'Int',
    required: true,
    defaultValue: usual,
    rule: { minimum: 1, maximum: most },
    description: `Maximum number of results to count, from 1 to ${most.toLocaleString('en')}. Defaults to ${usual.toLocaleString('en')}.`,
  }) as const;

/** Returns the cost of reading up to `upTo` index entries. 1,000 entries cost as much as one field on each row of the page. */
export const readingCost = (upTo: number): { field: number; multiplier: number } => ({
  field: Math.ceil(Math.min(Math.max(upTo, 1), 1_000_000) / 1_000),
  multiplier: 1,
});

const PageInfoType = builder.objectRef<Page<unknown>['pageInfo']>('PageInfo').implement({
  description: 'Pagination information.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'Whether results follow this page.',
      resolve: (info) => info.hasNextPage,
    }),
    hasPreviousPage: t.boolean({
      description: 'Whether results precede this page.',
      resolve: (info) => info.hasPreviousPage,
    }),
    startCursor: t
      .maybe('startCursor', 'String')
      .describe(
        'Cursor of the first result. Pass it as `before` to get the previous page. `null` if the page is empty.',
      ),
    endCursor: t
      .maybe('endCursor', 'String')
      .describe(
        'Cursor of the last result. Pass it as `after` to get the next page. `null` if the page is empty.',
      ),
  }),
});

export const BoundedCountType = builder.objectRef<BoundedCount>('BoundedCount').implement({
  description: 'Number of results, capped at a limit.',
  fields: (t) => ({
    value: t.member('value', 'Int').describe('Number of results. Never exceeds the limit.'),
    isExact: t.member('isExact', 'Boolean').describe('`false` if the list has more results than `value`.'),
  }),
});

const PageMarksType = builder.objectRef<PageMarks>('PageMarks').implement({
  description: 'Cursors that divide a list into pages of equal size.',
  fields: (t) => ({
    cursors: t
      .member('cursors', ['String'])
      .describe('Cursors to pass as `after` for the second page, the third page, and so on.'),
    total: t.member('total', 'Int').describe('Number of results, capped at `upTo`.'),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe('`false` if the list has more than `total` results.'),
  }),
});

type RowRef<Shape> =
  | ObjectRef<typeof builder.$inferSchemaTypes, Shape>
  | UnionRef<typeof builder.$inferSchemaTypes, Shape>;

/** Declares a connection type without a total count, for lists that combine several sources. */
export function pageConnectionOf<Shape extends object>(
  name: string,
  node: RowRef<Shape>,
  of: string,
  order: string,
) {
  // TypeScript can't infer the return type of a field with a generic type.
  const row: RowRef<object> = node;
  const edge = builder.objectRef<Page<Shape>['edges'][number]>(`${name}Edge`).implement({
    description: `Edge in a page of ${of}: a result and its cursor.`,
    fields: (t) => ({
      cursor: t
        .member('cursor', 'String')
        .describe('Cursor of the edge. Remains valid after the object is deleted.'),
      node: t.field({
        type: row,
        description: 'Object that the edge contains.',
        isProperty: true,
        resolve: (shown): object => shown.node,
      }),
    }),
  });
  const connection = builder.objectRef<Page<Shape>>(`${name}Connection`).implement({
    description: `Page of ${of}, ${order}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'Results on this page with their cursors.',
        isProperty: true,
        resolve: (page) => page.edges,
      }),
      nodes: t.field({
        type: [node],
        description: 'Results on this page.',
        isProperty: true,
        resolve: (page) => page.nodes,
      }),
      pageInfo: t.field({
        type: PageInfoType,
        description: 'Pagination information.',
        isProperty: true,
        resolve: (page) => page.pageInfo,
      }),
    }),
  });
  return connection;
}

/** Declares the connection type for an object type or union. All list fields of the type share this connection type. */
export function connectionOf<Shape extends object>(
  name: string,
  node: RowRef<Shape>,
  of: string,
  order = 'newest first by default',
) {
  const connection = pageConnectionOf(name, node, of, order);
  builder.objectFields(connection, (t) => ({
    totalCount: t.field({
      type: BoundedCountType,
      description: 'Total number of results that match the filters, capped at `upTo`.',
      args: { upTo: t.arg(bound(10_000, 100_000)) },
      complexity: ({ upTo }) => readingCost(upTo),
      resolve: (page, { upTo }) => page.totalCount(upTo),
    }),
    marks: t.field({
      type: PageMarksType,
      description:
        'Cursors for jumping directly to any page, for example from a page number or a scroll bar.',
      args: {
        every: t.arg({
          type: 'Int',
          required: true,
          defaultValue: 100,
          rule: { minimum: 1, maximum: 10_000 },
          description: 'Results per page, from 1 to 10,000. Defaults to 100.',
        }),
        upTo: t.arg(bound(100_000, 1_000_000)),
      },
      complexity: ({ upTo }) => readingCost(upTo),
      resolve: (page, { every, upTo }) => page.marks(every, upTo),
    }),
  }));
  connections.set(node, connection);
  return connection;
}

/** Declares the pagination arguments for a list field. `sizes` contains the default and the maximum page size. */
export const pageArgs = (...sizes: Parameters<typeof pageArguments>) =>
  builder.args((t) => {
    const { first, after, last, before } = pageArguments(...sizes);
    return { first: t.field(first), after: t.field(after), last: t.field(last), before: t.field(before) };
  });

/** Declares the pagination arguments for a list that supports only forward pagination. */
export const forwardPageArgs = () =>
  builder.args((t) => {
    const { first, after } = pageArguments();
    return { first: t.field(first), after: t.field(after) };
  });

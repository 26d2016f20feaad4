import type { ObjectRef, UnionRef } from '@pothos/core';
import { builder } from './builder.ts';
import type { BoundedCount, Page, PageMarks } from './connections.ts';
import { pageArguments } from './pages.ts';
import { connections } from './relations.ts';

/** How the bound of what is read of a list is declared. */
export const bound = (usual: number, most: number) =>
  ({
    type: 'Int',
    required: true,
    defaultValue: usual,
    rule: { minimum: 1, maximum: most },
    description: `How many rows to read at most, 1 to ${most}. Defaults to ${usual}.`,
  }) as const;

/** What reading up to so many entries of an index costs: as much as a field of each row of the page, for each thousand of them. */
export const readingCost = (upTo: number): { field: number; multiplier: number } => ({
  field: Math.ceil(Math.min(Math.max(upTo, 1), 1_000_000) / 1_000),
  multiplier: 1,
});

const PageInfoType = builder.objectRef<Page<unknown>['pageInfo']>('PageInfo').implement({
  description: 'Where a page lies in its list.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'Whether more follow.',
      resolve: (info) => info.hasNextPage,
    }),
    hasPreviousPage: t.boolean({
      description: 'Whether others come before.',
      resolve: (info) => info.hasPreviousPage,
    }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'Cursor of the first row, to go back `before`; null on an empty page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'Cursor of the last row, to go on `after`; null on an empty page.',
    }),
  }),
});

export const BoundedCountType = builder.objectRef<BoundedCount>('BoundedCount').implement({
  description: 'A number of rows, counted up to a bound.',
  fields: (t) => ({
    value: t.exposeInt('value', { description: 'The number of rows, never above the bound.' }),
    isExact: t.exposeBoolean('isExact', { description: 'False where there are more than `value`.' }),
  }),
});

const PageMarksType = builder.objectRef<PageMarks>('PageMarks').implement({
  description: 'The places in a list at which pages of one size begin.',
  fields: (t) => ({
    cursors: t.field({
      type: ['String'],
      description:
        'What to send as `after` for the second page, the third, and so on: the cursor of every n-th row that others follow.',
      resolve: (marks) => marks.cursors,
    }),
    total: t.exposeInt('total', { description: 'How many rows were counted, never above `upTo`.' }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False where the list goes on beyond the rows that were counted.',
    }),
  }),
});

type RowRef<Shape> =
  | ObjectRef<typeof builder.$inferSchemaTypes, Shape>
  | UnionRef<typeof builder.$inferSchemaTypes, Shape>;

/** A connection type whose pages say nothing of the list they are from, for lists that are put together from several. */
export function pageConnectionOf<Shape extends object>(
  name: string,
  node: RowRef<Shape>,
  of: string,
  order: string,
) {
  // What a field of one value has to return is not worked out for a type that is not known here.
  const row: RowRef<object> = node;
  const edge = builder.objectRef<Page<Shape>['edges'][number]>(`${name}Edge`).implement({
    description: `One of the ${of} and its place in the list.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        description: 'The place of the row in the list; it stays valid after the row is gone.',
      }),
      node: t.field({
        type: row,
        description: 'The row.',
        isProperty: true,
        resolve: (shown): object => shown.node,
      }),
    }),
  });
  const connection = builder.objectRef<Page<Shape>>(`${name}Connection`).implement({
    description: `A page of ${of}, ${order}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'The rows of the page with their cursors.',
        isProperty: true,
        resolve: (page) => page.edges,
      }),
      nodes: t.field({
        type: [node],
        description: 'The rows of the page.',
        isProperty: true,
        resolve: (page) => page.nodes,
      }),
      pageInfo: t.field({
        type: PageInfoType,
        description: 'Whether there are more, and where to go on.',
        isProperty: true,
        resolve: (page) => page.pageInfo,
      }),
    }),
  });
  return connection;
}

/** The named connection type of an object type or union, shared by every field that lists it. */
export function connectionOf<Shape extends object>(
  name: string,
  node: RowRef<Shape>,
  of: string,
  order = 'newest first unless they are sorted otherwise',
) {
  const connection = pageConnectionOf(name, node, of, order);
  builder.objectFields(connection, (t) => ({
    totalCount: t.field({
      type: BoundedCountType,
      description:
        'How many rows the list has that the page is from, with the same filters. Counted up to a bound, so that long lists are answered as quickly as short ones.',
      args: { upTo: t.arg(bound(10_000, 100_000)) },
      complexity: ({ upTo }) => readingCost(upTo),
      resolve: (page, { upTo }) => page.totalCount(upTo),
    }),
    marks: t.field({
      type: PageMarksType,
      description:
        'Where the pages of the list begin, for scroll bars and page numbers: each of them is then found at once, however far down it is.',
      args: {
        every: t.arg({
          type: 'Int',
          required: true,
          defaultValue: 100,
          rule: { minimum: 1, maximum: 10_000 },
          description: 'Rows per page, 1 to 10000. Defaults to 100.',
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

/** The page arguments, for the `args` of a list field: pages of at most `most` rows, and of `defaultSize` where no size is sent. */
export const pageArgs = (...sizes: Parameters<typeof pageArguments>) =>
  builder.args((t) => {
    const { first, after, last, before } = pageArguments(...sizes);
    return { first: t.field(first), after: t.field(after), last: t.field(last), before: t.field(before) };
  });

/** The page arguments of a list that is read forward only. */
export const forwardPageArgs = () =>
  builder.args((t) => {
    const { first, after } = pageArguments();
    return { first: t.field(first), after: t.field(after) };
  });

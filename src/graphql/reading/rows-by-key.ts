import type { FieldKind, SchemaTypes } from '@pothos/core';
import { getRefFromModel } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { Filter, ModelName, Row } from '../../platform/db/rows.ts';
import type { Context } from '../../request/context.ts';
import { columnsOf } from '../declare/columns.ts';
import { addFieldMethod } from '../declare/computed.ts';
import { newestFirst } from './cursors.ts';
import { loadExistingRow, loadPageBy, loadRow } from './loaders.ts';
import type { PageArguments } from './pages.ts';
import {
  type As,
  declaredArguments,
  type FieldText,
  type Parent,
  readsColumns,
  type Where,
} from './relations.ts';

// Field builder methods for rows without a Prisma relation. The rows are found by ID, or by a column of a parent that isn't a row.

declare global {
  export namespace PothosSchemaTypes {
    interface RootFieldBuilder<Types extends SchemaTypes, ParentShape, Kind extends FieldKind = FieldKind> {
      /**
       * Field that returns a row by an ID. The ID is a column of the parent or the result of a function. Use `nullable` if the row may not
       * exist.
       */
      rowById: <Model extends keyof Types['PrismaTypes'] & ModelName>(
        model: Model,
        options: FieldText &
          As & {
            readonly id: (keyof ParentShape & string) | ((parent: ParentShape) => string | null);
            readonly nullable?: true;
          },
      ) => FieldRef<Types, unknown, Kind>;

      /** Field that returns a page of a model's rows that match `where`, newest first. For parents that aren't rows of the referenced model. */
      pageBy: <Model extends keyof Types['PrismaTypes'] & ModelName>(
        model: Model,
        options: FieldText & {
          readonly type: object;
          readonly by: keyof Row<Model> & string;
          readonly id: (parent: ParentShape) => string;
          readonly where?: (parent: ParentShape) => Where<Row<Model>>;
        },
      ) => FieldRef<Types, unknown, Kind>;
    }
  }
}

type RowByIdOptions = FieldText &
  As & {
    readonly id: string | ((parent: object) => string | null);
    readonly nullable?: true;
  };

addFieldMethod('rowById', function rowById(model: ModelName, { id, type, ...options }: RowByIdOptions) {
  const load = options.nullable === true ? loadRow : loadExistingRow;
  const isInPart = readsColumns(type, model);
  const idOf = typeof id === 'string' ? (parent: Parent) => parent[id] ?? null : id;
  return this.field({
    ...options,
    type: type ?? getRefFromModel(model, this.builder),
    ...(typeof id === 'string' ? { columns: [id] } : {}),
    resolve: (parent: Parent, _args: object, ctx: Context, info: GraphQLResolveInfo) => {
      const value = idOf(parent);
      return value === null ? null : load(ctx, model, value, isInPart ? columnsOf(info) : 'all');
    },
  });
});

type PageByOptions = FieldText & {
  readonly type: object;
  readonly by: string;
  readonly id: (parent: object) => string;
  readonly where?: (parent: object) => Filter;
};

addFieldMethod('pageBy', function pageBy(model: ModelName, { by, id, where, ...options }: PageByOptions) {
  return this.field({
    ...options,
    args: declaredArguments(this),
    resolve: (parent: object, args: PageArguments, ctx: Context) =>
      loadPageBy(ctx, { model, filter: where?.(parent) ?? {}, order: newestFirst }, by, id(parent), args),
  });
});

import type {
  FieldKind,
  FieldNullability,
  FieldOptionsFromKind,
  InputFieldMap,
  SchemaTypes,
  ShapeFromTypeParam,
  TypeParam,
} from '@pothos/core';
import {
  getRefFromModel,
  type PrismaModelTypes,
  PrismaObjectRef,
  type prismaModelName,
} from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { relationOf } from '../../platform/db/datamodel.ts';
import type { Filter, ModelName, present } from '../../platform/db/rows.ts';
import type { Context } from '../../request/context.ts';
import { columnsOf } from '../declare/columns.ts';
import { addFieldMethod } from '../declare/computed.ts';
import { oncePerField } from '../declare/places.ts';
import { newestFirst } from './cursors.ts';
import { type ListArguments, listLoader, type NarrowedList } from './list-rows.ts';
import {
  loadExistingRow,
  loadRowsBy,
  type PageLoader,
  pageLoader,
  type RowsLoader,
  rowsLoader,
} from './loaders.ts';
import { columnsOfPage, type OrderedList, pageArguments } from './pages.ts';

// Field builder methods for relations between Prisma models: `t.row` for one row, `t.rows` for a few rows, and `t.page` for many rows.
// Types, nullability, columns, and batching are derived from the Prisma schema. docs/adr/0001 explains why the Prisma plugin's own
// relations aren't used.

type ModelOf<Types extends SchemaTypes, Parent> = typeof prismaModelName extends keyof Parent
  ? PrismaModelTypes &
      Types['PrismaTypes'][Extract<Parent[typeof prismaModelName], keyof Types['PrismaTypes']>]
  : never;

type Many<Types extends SchemaTypes, Parent> = ModelOf<Types, Parent>['ListRelations'];
type One<Types extends SchemaTypes, Parent> = Exclude<
  ModelOf<Types, Parent>['RelationName'],
  Many<Types, Parent>
>;

type Related<Types extends SchemaTypes, Parent, Name extends string> = (PrismaModelTypes &
  Types['PrismaTypes'][ModelOf<Types, Parent>['Relations'][Name]['Name'] &
    keyof Types['PrismaTypes']])['Shape'];

/** Declared list, in the form that `t.page` uses for the rows of a parent. */
type NestedList = Pick<NarrowedList, 'name' | 'search' | 'defaultOrder'> & {
  readonly model: ModelName;
  readonly filter: object;
  readonly sort: object;
  readonly args: object;
};

/** Equality filters for related rows, by column. */
export type Where<Target> = { readonly [Column in keyof Target]?: Target[Column] | typeof present };

/** Order and filter of a relation with few rows per parent. */
type Few<Target> = { readonly orderBy: keyof Target & string; readonly where?: Where<Target> };

export type FieldText = { readonly description: string };

/** GraphQL type of the rows, if it differs from the model's default type. */
export type As = { readonly type?: object };

declare global {
  export namespace PothosSchemaTypes {
    interface RootFieldBuilder<Types extends SchemaTypes, ParentShape, Kind extends FieldKind = FieldKind> {
      /** Field that returns the row that a foreign key references. `null` if the foreign key is `null`. */
      row: <Name extends One<Types, ParentShape>>(
        relation: Name,
        options: FieldText & As,
      ) => FieldRef<Types, unknown, Kind>;

      /** Field that returns all related rows that match `where`, in ascending order of `orderBy`. For parents with few related rows. */
      rows: <Name extends Many<Types, ParentShape>>(
        relation: Name,
        options: FieldText & As & Few<Related<Types, ParentShape, Name>> & { readonly newestFirst?: true },
      ) => FieldRef<Types, unknown, Kind>;

      /**
       * Field that returns a page of related rows that match `where`, newest first. Each argument in `filter` filters by the column with
       * the same name. If `list` is set, its filter, search, and sort arguments are added.
       */
      page: <Name extends Many<Types, ParentShape>>(
        relation: Name,
        options: FieldText &
          As & {
            readonly where?: Where<Related<Types, ParentShape, Name>>;
            readonly list?: NestedList;
            readonly filter?: {
              readonly [Column in keyof Related<Types, ParentShape, Name>]?: InputFieldMap[string];
            };
          },
      ) => FieldRef<Types, unknown, Kind>;

      /** Field that is computed from the listed columns of the row that a foreign key references. `null` if the foreign key is `null`. */
      fromRow: <
        Name extends One<Types, ParentShape>,
        const Column extends keyof Related<Types, ParentShape, Name> & string,
        Type extends TypeParam<Types>,
        ResolveReturnShape,
        Nullable extends FieldNullability<Type> = Types['DefaultFieldNullability'],
      >(
        relation: Name,
        options: { readonly columns: readonly Column[] } & FieldOptionsFromKind<
          Types,
          Pick<Related<Types, ParentShape, Name>, Column>,
          Type,
          Nullable,
          Record<never, never>,
          Kind,
          unknown,
          ResolveReturnShape
        >,
      ) => FieldRef<Types, ShapeFromTypeParam<Types, Type, Nullable>, Kind>;

      /** Field that is computed from the listed columns of all related rows that match `where`, in ascending order of `orderBy`. */
      fromRows: <
        Name extends Many<Types, ParentShape>,
        const Column extends keyof Related<Types, ParentShape, Name> & string,
        Type extends TypeParam<Types>,
        ResolveReturnShape,
        Nullable extends FieldNullability<Type> = Types['DefaultFieldNullability'],
      >(
        relation: Name,
        options: Few<Related<Types, ParentShape, Name>> & {
          readonly columns: readonly Column[];
        } & FieldOptionsFromKind<
            Types,
            readonly Pick<Related<Types, ParentShape, Name>, Column>[],
            Type,
            Nullable,
            Record<never, never>,
            Kind,
            unknown,
            ResolveReturnShape
          >,
      ) => FieldRef<Types, ShapeFromTypeParam<Types, Type, Nullable>, Kind>;
    }
  }
}

/** Connection types by object type. All connection types are known before fields are built. */
export const connections = new Map<object, object>();

/** True if all fields in the type declare which of the model's columns they use. */
export const readsColumns = (type: object | undefined, model: ModelName): boolean =>
  type === undefined || (type instanceof PrismaObjectRef && type.modelName === model);

export type Parent = Readonly<Record<string, string | null>>;

addFieldMethod('row', function row(name: string, { type, ...options }: FieldText & As) {
  const { model, column, isRequired } = relationOf(this.model ?? '', name);
  const isInPart = readsColumns(type, model);
  return this.field({
    ...options,
    type: type ?? getRefFromModel(model, this.builder),
    nullable: !isRequired,
    columns: [column],
    resolve: (parent: Parent, _args: object, ctx: Context, info: GraphQLResolveInfo) => {
      const id = parent[column] ?? null;
      return id === null ? null : loadExistingRow(ctx, model, id, isInPart ? columnsOf(info) : 'all');
    },
  });
});

type RowsOptions = FieldText &
  As & { readonly orderBy: string; readonly where?: Filter; readonly newestFirst?: true };

addFieldMethod('rows', function rows(name: string, options: RowsOptions) {
  const { type, orderBy, where, newestFirst, ...more } = options;
  const { model, column, by } = relationOf(this.model ?? '', name);
  const isInPart = readsColumns(type, model);
  const loader = oncePerField<RowsLoader<ModelName>>();
  return this.field({
    ...more,
    type: [type ?? getRefFromModel(model, this.builder)],
    columns: [column],
    resolve: (parent: Parent, _args: object, ctx: Context, info: GraphQLResolveInfo) => {
      const load = loader(info, () =>
        rowsLoader(ctx, model, by, orderBy, where, isInPart ? columnsOf(info) : 'all'),
      );
      const loaded = load(String(parent[column]));
      return newestFirst === true ? loaded.then((ascending) => ascending.toReversed()) : loaded;
    },
  });
});

/** Returns the pagination arguments for a field. */
export const declaredArguments = (t: { readonly arg: (options: object) => unknown }) =>
  Object.fromEntries(Object.entries(pageArguments()).map(([name, options]) => [name, t.arg(options)]));

type PageOptions = FieldText &
  As & {
    readonly where?: Filter;
    readonly filter?: InputFieldMap;
    readonly list?: NarrowedList & { readonly args: InputFieldMap };
  };

addFieldMethod('page', function page(name: string, options: PageOptions) {
  const { type, where = {}, filter = {}, list, ...more } = options;
  const { model, column, by } = relationOf(this.model ?? '', name);
  if (list !== undefined && list.model !== model) throw new Error(`${list.name} isn't a list of ${model}.`);
  const filters = Object.keys(filter);
  const narrowed = (args: Filter): Filter => {
    const given = filters.filter((filtered) => (args[filtered] ?? null) !== null);
    return given.length === 0
      ? where
      : { ...where, ...Object.fromEntries(given.map((filtered) => [filtered, args[filtered]])) };
  };
  const loaderOf = (args: ListArguments & Filter, ctx: Context, info: GraphQLResolveInfo) => {
    const columns = (read: OrderedList) => columnsOfPage(type === undefined ? info : undefined, read);
    const wanted = narrowed(args);
    if (list !== undefined) return listLoader(ctx, list, args, { by, filter: wanted, columns });
    const rows = { model, filter: wanted, order: newestFirst };
    return pageLoader(ctx, rows, by, args, columns(rows));
  };
  const loader = oncePerField<PageLoader<ModelName>>();
  return this.field({
    ...more,
    type: type ?? connections.get(getRefFromModel(model, this.builder)),
    args: { ...list?.args, ...declaredArguments(this), ...filter },
    columns: [column],
    resolve: (parent: Parent, args: ListArguments & Filter, ctx: Context, info: GraphQLResolveInfo) =>
      loader(info, () => loaderOf(args, ctx, info))(String(parent[column])),
  });
});

type FromRowOptions = { readonly columns: readonly string[]; readonly resolve: RowResolver };
type RowResolver = (row: unknown, args: object, ctx: Context, info: GraphQLResolveInfo) => unknown;

addFieldMethod('fromRow', function fromRow(name: string, { columns, resolve, ...options }: FromRowOptions) {
  const { model, column } = relationOf(this.model ?? '', name);
  const read = new Set(columns);
  return this.field({
    ...options,
    columns: [column],
    resolve: async (parent: Parent, args: object, ctx: Context, info: GraphQLResolveInfo) => {
      const id = parent[column] ?? null;
      return id === null ? null : resolve(await loadExistingRow(ctx, model, id, read), args, ctx, info);
    },
  });
});

type FromRowsOptions = FromRowOptions & { readonly orderBy: string; readonly where?: Filter };

addFieldMethod('fromRows', function fromRows(name: string, options: FromRowsOptions) {
  const { columns, orderBy, where, resolve, ...more } = options;
  const { model, column, by } = relationOf(this.model ?? '', name);
  const read = new Set(columns);
  return this.field({
    ...more,
    columns: [column],
    resolve: async (parent: Parent, args: object, ctx: Context, info: GraphQLResolveInfo) =>
      resolve(
        await loadRowsBy(ctx, model, by, String(parent[column]), orderBy, where, read),
        args,
        ctx,
        info,
      ),
  });
});

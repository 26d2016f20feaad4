import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import type { ErrorCode } from '../domain/errors.ts';

/**
 * How an idempotency key and the effect of an operation are kept together: in one transaction; in two of their own around a call to
 * the outside world; or in the transaction of a batch, together with other operations.
 */
export type IdempotencyStrategy = 'in-transaction' | 'around-provider-call' | 'batched';

/** How a root field is offered over REST. Declared beside the field; the REST layer, OpenAPI and the contract tests read it. */
export type RestRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v1, with path parameters in braces; each is an argument of the field or a member of its input. */
  readonly path: string;
  /** Answered status, 200 by default; a function of the field's own result where one operation has two. */
  readonly status?: number | ((result: never) => number);
  /** The answer's shape: the name of a view declared with `restView`. */
  readonly view: string;
  /** Names on the wire of arguments, and members of the input, that are called otherwise there; the path's parameters go by them too. */
  readonly names?: Readonly<Record<string, string>>;
  /** Page size when neither `limit` nor `cursor` is sent; 25 by default. */
  readonly defaultLimit?: number;
  /** What the answer is when the field is null; a field that is not nullable needs none. */
  readonly allowsNull?: true;
  /** True where the answer holds a secret, so that the stored answer of its idempotency key is encrypted. */
  readonly secret?: true;
  /** How an idempotency key and the effect of the operation are kept together; 'in-transaction' by default. */
  readonly idempotency?: IdempotencyStrategy;
  /** Error codes this operation can answer beyond those every operation can. */
  readonly errors?: readonly ErrorCode[];
  /** Counts against the ingestion limit instead of the general one (PLT-61). */
  readonly ingestion?: true;
};

/** One contract shape of a GraphQL type: which fields a REST answer shows, in GraphQL syntax, and which are left out instead of null. */
export type RestView = {
  readonly name: string;
  /** The GraphQL type the fields belong to. */
  readonly type: string;
  readonly fields: string;
  readonly absentWhenNull: readonly string[];
};

const views = new Map<string, RestView>();

/** Declares a contract shape. `fields` is a GraphQL selection. Throws when the name is taken. */
export function restView(
  name: string,
  type: string,
  fields: string,
  options: { absentWhenNull?: readonly string[] } = {},
): void {
  if (views.has(name)) throw new Error(`The view ${name} is declared twice.`);
  views.set(name, { name, type, fields, absentWhenNull: options.absentWhenNull ?? [] });
}

/** The declared views by name. Complete once the schema has been imported. */
export const restViews = (): ReadonlyMap<string, RestView> => views;

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      rest: RestPlugin<Types>;
    }
    interface FieldOptions {
      rest?: RestRoute;
      /** For a field of the strategy 'batched': prepares what its arguments, which are checked, record (engine/usage/operation.ts). */
      prepare?: (args: never, schema: GraphQLSchema) => unknown;
    }
  }
}

/** What root fields with two statuses answered, by the context they ran in; forgotten together with it. */
const results = new WeakMap<object, unknown>();

/** The value a root field with a `status` function resolved to in this context; undefined before that. */
export const rootResultOf = (ctx: object): unknown => results.get(ctx);

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** A root value with the result of the operation's only field, which is not executed again. */
export class DecidedRoot {
  /** Answers the result, or throws what it failed with. */
  readonly result: () => unknown;

  constructor(result: () => unknown) {
    this.result = result;
  }
}

/** Keeps the `rest` option where the built schema can be asked for it, in the field's extensions, and results that decide about a status. */
export class RestPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { rest, prepare } = field.pothosOptions as { rest?: RestRoute; prepare?: unknown };
    if ((rest?.idempotency === 'batched') !== (prepare !== undefined))
      throw new Error(`${field.name}: a field is prepared where it is batched.`);
    return rest === undefined ? field : { ...field, extensions: { ...field.extensions, rest, prepare } };
  }

  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const { rest } = (field.extensions ?? {}) as { rest?: RestRoute };
    if (rest?.idempotency === 'batched')
      return (parent, args, ctx, info) =>
        parent instanceof DecidedRoot ? parent.result() : resolver(parent, args, ctx, info);
    if (typeof rest?.status !== 'function') return resolver;
    return async (parent, args, ctx, info) => {
      const result: unknown = await resolver(parent, args, ctx, info);
      results.set(ctx, result);
      return result;
    };
  }
}

SchemaBuilder.registerPlugin('rest', RestPlugin);

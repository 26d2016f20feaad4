import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';

/**
 * Transaction strategy for an idempotent operation. `in-transaction` uses one transaction for the key and the operation, `around-provider-call` uses
 * one before and one after the provider call, and `batched` shares the batch's transaction.
 */
export type IdempotencyStrategy = 'in-transaction' | 'around-provider-call' | 'batched';

/** REST route for a root field. Used by the REST API, OpenAPI, and contract tests. */
export type RestRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api/v1`. A path parameter in braces is an argument of the field or a field of its input. */
  readonly path: string;
  /** Status for successful responses. A function of the result if the status isn't constant. Defaults to 200. */
  readonly status?: number | ((result: never) => number);
  /** Name of the view (declared with `restView`) that determines the response. */
  readonly view: string;
  /** REST names by GraphQL name, for inputs whose names differ. Also used for path parameters. */
  readonly names?: Readonly<Record<string, string>>;
  /** REST names of inputs that are query parameters although the request has a body. */
  readonly query?: readonly string[];
  /** Page size if the request contains neither `limit` nor `cursor`. Defaults to 25. */
  readonly defaultLimit?: number;
  /** True if the response can be `null`. Only for nullable fields. */
  readonly allowsNull?: true;
  /** True if the response contains a secret. The response is then stored encrypted under its idempotency key. */
  readonly secret?: true;
  /** Idempotency strategy. Defaults to `in-transaction`. */
  readonly idempotency?: IdempotencyStrategy;
  /** Counts requests against the ingestion rate limit instead of the general rate limit (PLT-61). */
  readonly ingestion?: true;
};

/**
 * REST form of a GraphQL type: its fields, and the fields to omit if they are `null` or `false`. `spread` is the field whose members
 * become fields of the object; `null` if there's none.
 */
export type RestView = {
  readonly name: string;
  readonly type: string;
  readonly fields: string;
  readonly absentWhenUnset: readonly string[];
  readonly spread: string | null;
};

const views = new Map<string, RestView>();

/** Declares a REST view. `fields` is a GraphQL selection. Throws if the name is already used. */
export function restView(
  name: string,
  type: string,
  fields: string,
  options: { absentWhenUnset?: readonly string[]; spread?: string } = {},
): void {
  if (views.has(name)) throw new Error(`The view ${name} is declared twice.`);
  const { absentWhenUnset = [], spread = null } = options;
  views.set(name, { name, type, fields, absentWhenUnset, spread });
}

/** Returns all views by name. Complete only after the schema has been imported. */
export const restViews = (): ReadonlyMap<string, RestView> => views;

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      rest: RestPlugin<Types>;
    }
    interface FieldOptions {
      rest?: RestRoute;
      /** Converts validated arguments to the usage to record. Required for the idempotency strategy `batched` (engine/usage/operation.ts). */
      prepare?: (args: never, schema: GraphQLSchema) => unknown;
    }
  }
}

/** Results of root fields whose HTTP status depends on the result, by request context. */
const results = new WeakMap<object, unknown>();

/** Returns the result of a root field with a `status` function. Undefined until the field has been resolved. */
export const rootResultOf = (ctx: object): unknown => results.get(ctx);

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Keeps the result of a root field if its HTTP status depends on the result. */
export function noteRootResult(ctx: object, extensions: object | null | undefined, result: unknown): void {
  const { rest } = (extensions ?? {}) as { readonly rest?: RestRoute };
  if (typeof rest?.status === 'function') results.set(ctx, result);
}

/** Root value with a known result. The operation's only field returns this result without being executed. */
export class DecidedRoot {
  /** Returns the known result, or throws the operation's error. */
  readonly result: () => unknown;

  constructor(result: () => unknown) {
    this.result = result;
  }
}

/** Pothos plugin that stores the `rest` option in the schema, and keeps the results that determine an HTTP status. */
class RestPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { rest, prepare } = field.pothosOptions as { rest?: RestRoute; prepare?: unknown };
    if ((rest?.idempotency === 'batched') !== (prepare !== undefined))
      throw new Error(`${field.name}: prepare and the strategy 'batched' require each other.`);
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
      noteRootResult(ctx, field.extensions, result);
      return result;
    };
  }
}

SchemaBuilder.registerPlugin('rest', RestPlugin);

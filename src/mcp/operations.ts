import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import type { Area } from '../domain/limits/permissions.ts';
import { type Access, isCovered, type ScopeAccess } from '../graphql/declare/access.ts';
import { areaOf } from '../graphql/declare/areas.ts';
import type { Context } from '../request/context.ts';
import { selectionOf } from '../rest/graphql-selection.ts';
import { putAt } from '../rest/inputs.ts';
import { isRequired } from '../rest/openapi-parameters.ts';
import { type OperationRequest, restRequest } from '../rest/rest-request.ts';
import { type Route, type RouteInput, routesOf } from '../rest/routes.ts';

// Operations that API keys can call as tools: one for each query and mutation with a scope. Operations with a REST route are called over
// REST, and all others over GraphQL with a generated selection.

type Arguments = Readonly<Record<string, unknown>>;

/** Input of an operation, with the name that callers use. */
export type OperationInput = Pick<RouteInput, 'name' | 'definition'> & { readonly isRequired: boolean };

/** Operation that can be called as a tool. */
export type ToolOperation = {
  /** Name of the tool, in snake case. */
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly area: Area;
  readonly access: ScopeAccess;
  readonly isWrite: boolean;
  /** REST route. `null` if the operation is only available over GraphQL. */
  readonly route: Route | null;
  readonly inputs: readonly OperationInput[];
  readonly requestOf: (values: Arguments) => OperationRequest;
};

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the inputs of a field. Each field of the argument `input` is a separate input. */
function fieldInputs(
  field: GraphQLField<unknown, unknown>,
): (OperationInput & { readonly path: string[] })[] {
  return field.args.flatMap((argument) => {
    const type = getNullableType(argument.type);
    const members =
      argument.name === 'input' && isInputObjectType(type)
        ? Object.values(type.getFields()).map((definition) => ({
            definition,
            path: ['input', definition.name],
          }))
        : [{ definition: argument, path: [argument.name] }];
    return members.map(({ definition, path }) => ({
      name: definition.name,
      definition,
      path,
      isRequired: isNonNullType(definition.type) && definition.defaultValue === undefined,
    }));
  });
}

/** Returns the GraphQL request. Unknown arguments become unknown fields of the variables, which are rejected by name. */
function graphqlRequest(schema: GraphQLSchema, kind: string, field: GraphQLField<unknown, unknown>) {
  const type = getNamedType(field.type);
  const variables = field.args.map(({ name, type: of }) => `$${name}: ${of}`).join(', ');
  const provided = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const list = (text: string) => (text === '' ? '' : `(${text})`);
  const selected = isCompositeType(type) ? ` ${selectionOf(schema, type)}` : '';
  const query = `${kind} ${list(variables)} { ${field.name}${list(provided)}${selected} }`;
  const paths = new Map(fieldInputs(field).map(({ name, path }) => [name, path]));
  const hasInput = field.args.some(({ name }) => name === 'input');
  return (values: Arguments): OperationRequest => {
    const sent: Record<string, unknown> = hasInput ? { input: {} } : {};
    for (const [name, value] of Object.entries(values))
      putAt(sent, paths.get(name) ?? (hasInput ? ['input', name] : [name]), value);
    return { method: 'POST', address: '/graphql', body: { query, variables: sent } };
  };
}

function operationOf(
  schema: GraphQLSchema,
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
  route: Route | null,
): ToolOperation | null {
  const { access } = field.extensions as { access?: Access };
  if (access === undefined || !('scope' in access) || route?.rest.status === 410) return null;
  return {
    name: snakeCase(field.name),
    field,
    area: areaOf(field.name),
    access,
    isWrite: kind === 'mutation',
    route,
    inputs:
      route === null
        ? fieldInputs(field)
        : route.inputs.map((input) => ({
            name: input.name,
            definition: input.definition,
            isRequired: input.place === 'path' || isRequired(input),
          })),
    requestOf: route === null ? graphqlRequest(schema, kind, field) : (values) => restRequest(route, values),
  };
}

/** Returns all operations that API keys can call, sorted by name. */
export function operationsOf(schema: GraphQLSchema): ToolOperation[] {
  const routes = new Map(routesOf(schema).map((route) => [route.field.name, route]));
  const fieldsOf = (kind: 'query' | 'mutation') =>
    Object.values(
      (kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {},
    ).map((field) => operationOf(schema, kind, field, routes.get(field.name) ?? null));
  return [...fieldsOf('query'), ...fieldsOf('mutation')]
    .filter((operation) => operation !== null)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** True if the caller can call the operation in its environment. */
export function isOffered({ access }: ToolOperation, ctx: Pick<Context, 'caller' | 'livemode'>): boolean {
  const { environment, settings } = access;
  if (!isCovered(access, ctx)) return false;
  if (environment !== undefined && (environment === 'live') !== ctx.livemode) return false;
  return settings !== true || ctx.livemode || ctx.caller.kind !== 'key';
}

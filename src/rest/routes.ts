import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import type { Access } from '../graphql/declare/access.ts';
import { isNullOnlyOnError } from '../graphql/declare/nullability.ts';
import { type RestRoute, type RestView, restViews } from '../graphql/declare/rest.ts';
import { ruleOf } from '../graphql/declare/rules.ts';

/** Parameter or body field that a route accepts, with the corresponding GraphQL input. */
export type RouteInput = {
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  /** Path of the GraphQL input: the argument, followed by fields of input objects. */
  readonly path: readonly string[];
  readonly definition: GraphQLArgument | GraphQLInputField;
};

/** REST route of a GraphQL root field. */
export type Route = {
  readonly method: RestRoute['method'];
  /** Path below `/api/v1`. Path parameters are in braces. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly kind: 'query' | 'mutation';
  readonly field: GraphQLField<unknown, unknown>;
  readonly rest: RestRoute;
  readonly access: Access;
  readonly view: RestView;
  readonly inputs: readonly RouteInput[];
  /** Input that receives the entire body, if the body is a free-form object. */
  readonly wholeBody: RouteInput | null;
  /** Shape of the field's result. Pages and lists are returned as a list object. */
  readonly shape: 'object' | 'page' | 'list';
  /** True if the route accepts `Idempotency-Key`. */
  readonly isIdempotent: boolean;
};

/** REST names for pagination arguments. */
const pageNames: Readonly<Record<string, string>> = { first: 'limit', after: 'cursor' };

/** Returns the REST name for a GraphQL input path. Defaults to the GraphQL name. */
export const wireName = ({ inputs }: Pick<Route, 'inputs'>, path: string): string =>
  inputs.find(({ path: known }) => [path, `input.${path}`].includes(known.join('.')))?.name ?? path;

const hasBody = (method: RestRoute['method']): boolean =>
  method === 'POST' || method === 'PUT' || method === 'PATCH';

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Removes the braces from a path parameter. */
export const parameterName = (segment: string): string => segment.slice(1, -1);

/** Returns the shape of a field's result, and the GraphQL type that its view must have. */
function shapeOf(field: GraphQLField<unknown, unknown>): { shape: Route['shape']; shown: GraphQLNamedType } {
  const type = getNullableType(field.type);
  if (isListType(type)) return { shape: 'list', shown: getNamedType(type) };
  const edges = isObjectType(type) ? type.getFields()['edges'] : undefined;
  const edge = edges === undefined ? undefined : getNamedType(edges.type);
  const node = isObjectType(edge) ? edge.getFields()['node'] : undefined;
  return node === undefined
    ? { shape: 'object', shown: getNamedType(type) }
    : { shape: 'page', shown: getNamedType(node.type) };
}

type Fail = (problem: string) => never;

type Definition = GraphQLArgument | GraphQLInputField;

/**
 * Returns the query parameters for an argument. Object fields become separate parameters, such as `createdAtFrom`, but
 * filter fields keep their names. The fields of an optional object are optional parameters, but if a request contains
 * one of these parameters, the object must be complete.
 */
export function leavesOf(
  definition: Definition,
  path: readonly string[] = [],
): [string, Definition, string[]][] {
  const type = getNullableType(definition.type);
  const here = [...path, definition.name];
  if (isInputObjectType(type)) {
    const isOptional = path.length > 0 && type === definition.type;
    const memberOf = (member: GraphQLInputField): GraphQLInputField =>
      isOptional ? { ...member, type: getNullableType(member.type) } : member;
    return Object.values(type.getFields()).flatMap((member) => leavesOf(memberOf(member), here));
  }
  const [first = '', ...rest] = here[0] === 'filter' ? here.slice(1) : here;
  const name = first + rest.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`).join('');
  return [[name, definition, here]];
}

/** Returns the REST inputs of a field. Calls `fail` if two inputs have the same name. */
function inputsOf(
  field: GraphQLField<unknown, unknown>,
  rest: RestRoute,
  shape: Route['shape'],
  fail: Fail,
): RouteInput[] {
  const parameters = rest.path.split('/').filter(isParameter).map(parameterName);
  const inputs: RouteInput[] = [];
  const add = (called: string, definition: Definition, path: readonly string[]) => {
    if (ruleOf(definition).graphqlOnly === true) return;
    const name = rest.names?.[called] ?? called;
    if (inputs.some((known) => known.name === name)) fail(`takes ${name} twice`);
    const isInBody = hasBody(rest.method) && rest.query?.includes(name) !== true;
    const place = parameters.includes(name) ? 'path' : isInBody ? 'body' : 'query';
    inputs.push({ name, place, path, definition });
  };
  for (const argument of field.args) {
    const type = getNullableType(argument.type);
    if (argument.name === 'input' && isInputObjectType(type))
      for (const member of Object.values(type.getFields())) add(member.name, member, ['input', member.name]);
    else if (hasBody(rest.method)) add(argument.name, argument, [argument.name]);
    else
      for (const [name, leaf, path] of leavesOf(argument))
        add((shape === 'page' ? pageNames[name] : undefined) ?? name, leaf, path);
  }
  for (const parameter of parameters) {
    if (!inputs.some((input) => input.name === parameter))
      fail(`takes no ${parameter}, which its path names`);
  }
  return inputs;
}

function routeOf(kind: Route['kind'], field: GraphQLField<unknown, unknown>): Route | null {
  const { rest, access } = field.extensions as { rest?: RestRoute; access?: Access };
  if (rest === undefined) return null;
  const fail: Fail = (problem) => {
    throw new Error(`${rest.method} ${rest.path} cannot be offered: the field ${field.name} ${problem}.`);
  };
  if (access === undefined) return fail('has no access option');
  const { shape, shown } = shapeOf(field);
  const view = restViews().get(rest.view) ?? fail(`answers the view ${rest.view}, which no one declares`);
  if (view.type !== shown.name)
    fail(`is of type ${shown.name}, but its view ${view.name} shows ${view.type}`);
  if (!isNullOnlyOnError(field) && rest.allowsNull !== true)
    fail('can be null, but does not say what REST answers then');
  const inputs = inputsOf(field, rest, shape, fail);
  const wholeBody = inputs.find(
    (input) =>
      input.place === 'body' &&
      input.path.length === 1 &&
      getNamedType(input.definition.type).name === 'CountMap',
  );
  return {
    method: rest.method,
    path: rest.path,
    segments: rest.path.split('/').slice(1),
    kind,
    field,
    rest,
    access,
    view,
    inputs,
    wholeBody: wholeBody ?? null,
    shape,
    isIdempotent: hasBody(rest.method),
  };
}

/** Returns the method and path of a route with unnamed parameters. Must be unique. */
const pattern = (route: Route): string =>
  `${route.method} /${route.segments.map((part) => (isParameter(part) ? '{}' : part)).join('/')}`;

/**
 * Returns all REST routes of a schema, ordered by path and method. Throws for duplicate routes and inputs, unknown path parameters and views, and
 * nullable fields without a declared REST response.
 */
export function routesOf(schema: GraphQLSchema): Route[] {
  const fieldsOf = (type: ReturnType<GraphQLSchema['getQueryType']>) =>
    Object.values(type?.getFields() ?? {});
  const routes = [
    ...fieldsOf(schema.getQueryType()).map((field) => routeOf('query', field)),
    ...fieldsOf(schema.getMutationType()).map((field) => routeOf('mutation', field)),
  ].filter((route) => route !== null);
  const taken = new Map<string, Route>();
  for (const route of routes) {
    const other = taken.get(pattern(route));
    if (other !== undefined)
      throw new Error(`${pattern(route)} is offered twice, by ${other.field.name} and ${route.field.name}.`);
    taken.set(pattern(route), route);
  }
  return routes.sort((a, b) =>
    a.path === b.path ? (a.method < b.method ? -1 : 1) : a.path < b.path ? -1 : 1,
  );
}

/** Route that matches a request. The values of the path parameters are still percent-encoded. */
export type Match = { readonly route: Route; readonly parameters: Readonly<Record<string, string>> };

/** Returns a function that finds the route for a method and a path below `/api/v1`. Fixed segments take precedence over parameters. */
export function matcherOf(routes: readonly Route[]): (method: string, path: string) => Match | null {
  const fixed = new Map<string, Match>();
  const open = new Map<string, Route[]>();
  for (const route of routes) {
    const key = `${route.method} ${route.segments.length}`;
    if (route.segments.some(isParameter)) open.set(key, [...(open.get(key) ?? []), route]);
    else fixed.set(`${route.method} ${route.path}`, { route, parameters: {} });
  }
  const segments = new Map(
    routes.map((route) => [
      route,
      route.segments.map((part) => (isParameter(part) ? { parameter: parameterName(part) } : part)),
    ]),
  );
  // Sorts fixed segments before parameters.
  const order = (a: Route, b: Route) =>
    pattern(a).replaceAll('{}', '\uffff') < pattern(b).replaceAll('{}', '\uffff') ? -1 : 1;
  for (const candidates of open.values()) candidates.sort(order);
  return (method, path) => {
    const exact = fixed.get(`${method} ${path}`);
    if (exact !== undefined) return exact;
    const parts = path.split('/').slice(1);
    for (const route of open.get(`${method} ${parts.length}`) ?? []) {
      const parameters = bind(segments.get(route) ?? [], parts);
      if (parameters !== null) return { route, parameters };
    }
    return null;
  };
}

/** Segment of a path: fixed text, or the name of a parameter. */
type Segment = string | { readonly parameter: string };

/** Returns the values of the parameters. `null` if the path doesn't match. */
function bind(segments: readonly Segment[], parts: readonly string[]): Record<string, string> | null {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if (typeof segment === 'string') {
      if (segment !== part) return null;
    } else if (part === '') return null;
    else parameters[segment.parameter] = part;
  }
  return parameters;
}

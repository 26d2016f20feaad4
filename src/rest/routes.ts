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
import type { Access } from '../graphql/access.ts';
import { isNullOnlyOnError } from '../graphql/nullability.ts';
import { type RestRoute, type RestView, restViews } from '../graphql/rest.ts';
import { ruleOf } from '../graphql/rules.ts';

/** One thing a caller can send: its name on the wire and the argument, or member of the input object, it becomes. */
export type RouteInput = {
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  /** Where it stands in GraphQL: the argument, and below it the members of input objects. */
  readonly path: readonly string[];
  readonly definition: GraphQLArgument | GraphQLInputField;
};

/** A root field as REST offers it. */
export type Route = {
  readonly method: RestRoute['method'];
  /** Below /api/v1, with parameters in braces. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly kind: 'query' | 'mutation';
  readonly field: GraphQLField<unknown, unknown>;
  readonly rest: RestRoute;
  readonly access: Access;
  readonly view: RestView;
  readonly inputs: readonly RouteInput[];
  /** The input that the whole body is, where the body is a free map. */
  readonly wholeBody: RouteInput | null;
  /** How the field returns what the view shows: one object, a page, or a plain list. Pages and lists are answered as the list object. */
  readonly shape: 'object' | 'page' | 'list';
  /** True where `Idempotency-Key` is accepted. */
  readonly isIdempotent: boolean;
};

/** Page arguments by what REST calls them. */
const pageNames: Readonly<Record<string, string>> = { first: 'limit', after: 'cursor' };

/** What callers call an input of a route, or a member of its input object; GraphQL's own name for what is none. */
export const wireName = ({ inputs }: Pick<Route, 'inputs'>, path: string): string =>
  inputs.find(({ path: known }) => [path, `input.${path}`].includes(known.join('.')))?.name ?? path;

const hasBody = (method: RestRoute['method']): boolean =>
  method === 'POST' || method === 'PUT' || method === 'PATCH';

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** The name inside the braces. */
export const parameterName = (segment: string): string => segment.slice(1, -1);

/** The shape of a field's answer and the type its view has to be of. */
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
 * What a query string can say of an argument, each with its name on the wire: members of an object are flat, such as `createdAtFrom`, and those of
 * a filter go by their own names. None is required of an object within one that may be left out; what is sent of
 * it has to be whole.
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

/** Everything REST callers can give the field, one entry per name; throws through `fail` for names that clash. */
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
    const place = parameters.includes(name) ? 'path' : hasBody(rest.method) ? 'body' : 'query';
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
  if (access === undefined) return fail('does not say who may call it');
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

/** A path with its parameters' names left out: what two routes may not share. */
const pattern = (route: Route): string =>
  `${route.method} /${route.segments.map((part) => (isParameter(part) ? '{}' : part)).join('/')}`;

/**
 * The routes of a schema, in order of path, then method. Throws at start for two routes at one address, unknown path parameters,
 * inputs of one name, unknown views, and nullable fields that do not say what REST answers.
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

/** A route with what stands in the places of its path parameters, still percent-encoded. */
export type Match = { readonly route: Route; readonly parameters: Readonly<Record<string, string>> };

/** Answers a function that finds the route of a method and a path below /api/v1; fixed segments win over parameters. */
export function matcherOf(routes: readonly Route[]): (method: string, path: string) => Match | null {
  const fixed = new Map<string, Match>();
  const open = new Map<string, Route[]>();
  for (const route of routes) {
    const key = `${route.method} ${route.segments.length}`;
    if (route.segments.some(isParameter)) open.set(key, [...(open.get(key) ?? []), route]);
    else fixed.set(`${route.method} ${route.path}`, { route, parameters: {} });
  }
  // Where two routes fit, the one whose first differing segment is fixed comes first.
  const order = (a: Route, b: Route) =>
    pattern(a).replaceAll('{}', '\uffff') < pattern(b).replaceAll('{}', '\uffff') ? -1 : 1;
  for (const candidates of open.values()) candidates.sort(order);
  return (method, path) => {
    const exact = fixed.get(`${method} ${path}`);
    if (exact !== undefined) return exact;
    const parts = path.split('/').slice(1);
    for (const route of open.get(`${method} ${parts.length}`) ?? []) {
      const parameters = bind(route, parts);
      if (parameters !== null) return { route, parameters };
    }
    return null;
  };
}

function bind(route: Route, parts: readonly string[]): Record<string, string> | null {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of route.segments.entries()) {
    const part = parts[index] ?? '';
    if (isParameter(segment)) {
      if (part === '') return null;
      parameters[parameterName(segment)] = part;
    } else if (segment !== part) return null;
  }
  return parameters;
}

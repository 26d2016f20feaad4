import { type GraphQLInputType, getNullableType, isListType, isScalarType } from 'graphql';
import { asNames } from '../graphql/declare/enum-spelling.ts';
import { type Issue, throwIssues } from '../graphql/declare/rules.ts';
import { checkFields } from '../graphql/input/check-input.ts';
import type { Match, Route, RouteInput } from './routes.ts';

/** Values by parameter name. The object has no prototype, so that a parameter named `__proto__` is safe. */
type Values = Record<string, unknown>;

const noValues = (): Values => Object.create(null) as Values;

const wholeNumber = /^-?\d{1,16}$/;
const decimalNumber = /^-?\d{1,16}(\.\d{1,16})?$/;

/** Parses the text of a parameter. Returns the text itself if parsing fails, so that validation rejects it. */
function fromText(type: GraphQLInputType, text: string): unknown {
  const inner = getNullableType(type);
  if (!isScalarType(inner)) return text;
  if (inner.name === 'SafeInt' || inner.name === 'Int') return wholeNumber.test(text) ? Number(text) : text;
  if (inner.name === 'Float') return decimalNumber.test(text) ? Number(text) : text;
  if (inner.name === 'Boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function addQuery(route: Route, search: string, values: Values, issues: Issue[]): void {
  for (const [name, text] of new URLSearchParams(search)) {
    const input = route.inputs.find((known) => known.name === name && known.place === 'query');
    const type = input === undefined ? undefined : getNullableType(input.definition.type);
    if (input === undefined || type === undefined)
      issues.push({ field: name, message: "isn't a supported field" });
    else if (isListType(type))
      values[name] = [
        ...((values[name] as unknown[] | undefined) ?? []),
        ...text.split(',').map((item) => fromText(type.ofType, item)),
      ];
    else if (name in values) issues.push({ field: name, message: 'must be sent only once' });
    else values[name] = fromText(type, text);
  }
}

function addPath({ route, parameters }: Match, values: Values, issues: Issue[]): void {
  for (const input of route.inputs) {
    if (input.place !== 'path') continue;
    const encoded = parameters[input.name] ?? '';
    try {
      values[input.name] = fromText(input.definition.type, decodeURIComponent(encoded));
    } catch {
      values[input.name] = encoded;
      issues.push({ field: input.name, message: 'must be percent-encoded UTF-8' });
    }
  }
}

const bodyNames = new WeakMap<Route, ReadonlySet<string>>();

/** Returns the names of the fields that a route accepts in the body. */
const bodyNamesOf = (route: Route): ReadonlySet<string> =>
  bodyNames.getOrInsertComputed(
    route,
    ({ inputs }) => new Set(inputs.filter(({ place }) => place === 'body').map(({ name }) => name)),
  );

function addBody(
  route: Route,
  body: Readonly<Record<string, unknown>>,
  values: Values,
  issues: Issue[],
): void {
  if (route.wholeBody !== null) {
    values[route.wholeBody.name] = body;
    return;
  }
  const names = bodyNamesOf(route);
  for (const [name, value] of Object.entries(body)) {
    if (names.has(name)) values[name] = value;
    else issues.push({ field: name, message: "isn't a supported field" });
  }
}

/** Returns the input definitions of a route with their REST names. */
const declarations = (inputs: readonly RouteInput[]) =>
  inputs.map(({ name, definition }) => ({
    name,
    type: definition.type,
    extensions: definition.extensions,
    defaultValue: definition.defaultValue,
  }));

const declared = new WeakMap<Route, ReturnType<typeof declarations>>();

const declarationsOf = (route: Route): ReturnType<typeof declarations> =>
  declared.getOrInsertComputed(route, ({ inputs }) => declarations(inputs));

/** Sets a value at a path. Creates missing objects along the path. */
export function putAt(holder: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let inner = holder;
  for (const name of path.slice(0, -1)) {
    inner[name] ??= {};
    inner = inner[name] as Record<string, unknown>;
  }
  inner[path.at(-1) ?? ''] = value;
}

/**
 * Returns the GraphQL variables for a request's path, query string and body. Throws a single `validation_error` that lists all unknown, missing and
 * invalid parameters.
 */
export function variablesOf(
  match: Match,
  search: string,
  body: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  const { route } = match;
  const issues: Issue[] = [];
  const values = noValues();
  addPath(match, values, issues);
  if (search !== '') addQuery(route, search, values, issues);
  if (body !== undefined) addBody(route, body, values, issues);
  checkFields(declarationsOf(route), values, '', 'raw', issues);
  throwIssues(issues);
  const variables: Record<string, unknown> = {};
  if (route.field.args.some((argument) => argument.name === 'input')) variables['input'] = {};
  for (const { name, path, definition } of route.inputs)
    if (name in values) putAt(variables, path, asNames(definition.type, values[name]));
  return variables;
}

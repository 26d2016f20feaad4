import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
  parse,
  print,
} from 'graphql';
import { asNames } from '../graphql/declare/enum-spelling.ts';
import { parameterExample, requestExampleOf } from './curl.ts';
import { selectionOf } from './graphql-selection.ts';
import { graphqlValues } from './graphql-values.ts';
import { putAt } from './inputs.ts';
import { Examples, resourceIn } from './openapi-examples.ts';
import { objectOf, Schemas } from './openapi-schemas.ts';
import { type Route, type RouteInput, routesOf } from './routes.ts';

/** Field of a root type, with its operation type. */
export type RootField = {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly field: GraphQLField<unknown, unknown>;
};

/** Example operation with variables and a matching response. */
export type GraphqlExample = {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly answer: unknown;
};

/** Returns all root fields: queries, mutations, then subscriptions. */
export function rootFieldsOf(schema: GraphQLSchema): readonly RootField[] {
  const types = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  return types.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({ kind, field })),
  );
}

/** Returns an operation document for a root field. Each of the given arguments becomes a variable with the same name. */
export function exampleDocument(
  schema: GraphQLSchema,
  { kind, field }: RootField,
  used: readonly string[],
): string {
  const args = field.args.filter(({ name }) => used.includes(name));
  const list = (parts: readonly string[]): string => (parts.length === 0 ? '' : `(${parts.join(', ')})`);
  const name = `${field.name[0]?.toUpperCase()}${field.name.slice(1)}`;
  const type = getNamedType(field.type);
  const selection = isCompositeType(type) ? selectionOf(schema, type) : '';
  const variables = list(args.map((argument) => `$${argument.name}: ${argument.type}`));
  return print(
    parse(
      `${kind} ${name}${variables} { ${field.name}${list(args.map((argument) => `${argument.name}: $${argument.name}`))} ${selection} }`,
    ),
  );
}

/** Converts a REST value to GraphQL. Enum values get their GraphQL names, and one-of inputs are reduced to a single field. */
function asVariable(type: GraphQLInputType, value: unknown): unknown {
  const named = getNullableType(type);
  if (value === null || value === undefined) return value;
  if (isListType(named)) {
    const items = Array.isArray(value) ? value : String(value).split(',');
    return items.map((item) => asVariable(named.ofType, item));
  }
  if (isEnumType(named)) return asNames(named, value);
  if (!isInputObjectType(named)) return value;
  const fields = named.getFields();
  const members = Object.entries(value).filter(([name]) => fields[name] !== undefined);
  return Object.fromEntries(
    (named.isOneOf ? members.slice(0, 1) : members).map(([name, member]) => [
      name,
      asVariable(fields[name]?.type ?? type, member),
    ]),
  );
}

/** Generates an example operation for each root field, from the REST examples and the schema. */
export class GraphqlExamples {
  readonly #schema: GraphQLSchema;
  readonly #schemas: Schemas;
  readonly #examples: Examples;
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#schemas = new Schemas(schema);
    this.#examples = new Examples(this.#schemas.components);
    this.#routes = new Map(routesOf(schema).map((route) => [route.field.name, route]));
  }

  /** Returns a field's REST route. Undefined if REST doesn't expose the field. */
  routeOf({ field }: RootField): Route | undefined {
    return this.#routes.get(field.name);
  }

  of(root: RootField): GraphqlExample {
    const variables = this.#variablesOf(root);
    return {
      document: exampleDocument(this.#schema, root, Object.keys(variables)),
      variables,
      answer: { data: { [root.field.name]: this.#answerOf(root) } },
    };
  }

  #variablesOf(root: RootField): Record<string, unknown> {
    const { field } = root;
    const route = this.routeOf(root);
    const values = graphqlValues[field.name] ?? (route === undefined ? {} : this.#restValues(route));
    const entries = field.args
      .map((argument) => [argument, values[argument.name] ?? this.#ownValue(argument, field)] as const)
      .filter(([, value]) => value !== undefined)
      .map(([argument, value]) => [argument.name, asVariable(argument.type, value)] as const);
    return Object.fromEntries(entries);
  }

  /** Returns the values in the route's REST example, by argument name. */
  #restValues(route: Route): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    if (route.field.args.some(({ name }) => name === 'input')) values['input'] = {};
    for (const input of route.inputs) {
      const value = this.#restValue(route, input);
      if (value !== undefined) putAt(values, input.path, value);
    }
    return values;
  }

  #restValue(route: Route, input: RouteInput): unknown {
    if (input.place !== 'body') return parameterExample(route, input);
    const { body } = requestExampleOf(route);
    if (body === undefined || input === route.wholeBody) return body;
    return body[input.name];
  }

  /** Generates a value for an argument without an example: required fields only, and a small page size for lists. */
  #ownValue(argument: GraphQLArgument, field: GraphQLField<unknown, unknown>): unknown {
    if (argument.name === 'first') return 3;
    if (!isRequiredArgument(argument)) return undefined;
    const schema = this.#schemas.input(argument);
    const owner = { name: 'object', schema: { const: resourceIn(field.name) }, isRequired: true };
    const body = this.#examples.body(objectOf([owner, { name: argument.name, schema, isRequired: true }]));
    return (body as Record<string, unknown>)[argument.name];
  }

  #answerOf({ field }: RootField): unknown {
    const type = getNamedType(field.type);
    if (!isCompositeType(type)) return null;
    const fields = selectionOf(this.#schema, type).slice(1, -1);
    const view = {
      name: `Answer to ${field.name}`,
      type: type.name,
      fields,
      absentWhenUnset: [],
      spread: null,
    };
    const answer = this.#examples.answer(this.#schemas.view(view));
    return isListType(getNullableType(field.type)) ? [answer] : answer;
  }
}

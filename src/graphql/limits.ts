import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** What a single operation may ask for. Hostile ones are refused before anything is resolved. */
export const limits = {
  /** Words and signs of the document. */
  tokens: 4_000,
  aliases: 50,
  depth: 20,
  /** One per field, times the page size of the lists above it. */
  cost: 50_000,
  /** Operations in one HTTP request. */
  batch: 10,
} as const;

/** True for operations that only ask for the schema itself, whose size is known. */
const isIntrospection = (document: DocumentNode): boolean =>
  document.definitions.every(
    (definition) =>
      definition.kind !== Kind.OPERATION_DEFINITION ||
      definition.selectionSet.selections.every((selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith('__')),
  );

const isWithoutVariables = (document: DocumentNode): boolean =>
  document.definitions.every(
    (definition) => definition.kind !== Kind.OPERATION_DEFINITION || (definition.variableDefinitions ?? []).length === 0,
  );

/** What documents without variables cost does not change. */
const known = new WeakMap<DocumentNode, GraphQLError | null>();

/** The refusal of an operation that is too costly or too deep; null when it may run. */
export function costOffence(schema: GraphQLSchema, document: DocumentNode, variables: Record<string, unknown>): GraphQLError | null {
  const before = known.get(document);
  if (before !== undefined) return before;
  const offence = workedOut(schema, document, variables);
  if (isWithoutVariables(document)) known.set(document, offence);
  return offence;
}

function workedOut(schema: GraphQLSchema, document: DocumentNode, variables: Record<string, unknown>): GraphQLError | null {
  if (isIntrospection(document)) return null;
  const { complexity, depth } = complexityFromQuery(document, { schema, variables, ctx: {} });
  if (depth > limits.depth) return new GraphQLError(`The operation is ${depth} levels deep; at most ${limits.depth} are allowed.`);
  if (complexity > limits.cost) return new GraphQLError(`The operation costs ${complexity}; at most ${limits.cost} are allowed.`);
  return null;
}

type Execution = {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly variableValues?: Record<string, unknown> | null;
};

/** The limits as plugins of the GraphQL server. */
export const limitPlugins = (): Plugin[] => {
  const check = ({
    args,
    setResultAndStopExecution,
  }: {
    args: Execution;
    setResultAndStopExecution: (result: { errors: GraphQLError[] }) => void;
  }) => {
    const offence = costOffence(args.schema, args.document, args.variableValues ?? {});
    if (offence !== null) setResultAndStopExecution({ errors: [offence] });
  };
  return [
    maxTokensPlugin({ n: limits.tokens }),
    maxAliasesPlugin({ n: limits.aliases }),
    {
      onExecute: (event) => check(event as unknown as Parameters<typeof check>[0]),
      onSubscribe: ({ args, setResultAndStopExecution }) =>
        check({ args: args as unknown as Execution, setResultAndStopExecution: setResultAndStopExecution as never }),
    },
  ];
};

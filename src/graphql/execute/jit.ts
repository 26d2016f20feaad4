import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  valueFromASTUntyped,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';

type Options = Parameters<typeof compileQuery>[3];

type Compiled = CompiledQuery | ExecutionResult;

/** Copies of schemas that use the mutation type as the query type, by original schema. */
const mutationsAsQueries = new WeakMap<GraphQLSchema, GraphQLSchema>();

const turnedSchema = (schema: GraphQLSchema): GraphQLSchema =>
  mutationsAsQueries.getOrInsertComputed(schema, () => {
    const { mutation, ...rest } = schema.toConfig();
    return new GraphQLSchema({ ...rest, query: mutation ?? null });
  });

const isSingleMutation = (definition: OperationDefinitionNode): boolean => {
  const { operation, selectionSet } = definition;
  const [only, ...others] = selectionSet.selections;
  return operation === OperationTypeNode.MUTATION && only?.kind === Kind.FIELD && others.length === 0;
};

/** Returns the document with the requested operation converted to a query. */
const asQuery = (document: DocumentNode, requested: OperationDefinitionNode): DocumentNode => ({
  ...document,
  definitions: document.definitions.map((each) =>
    each === requested ? { ...requested, operation: OperationTypeNode.QUERY } : each,
  ),
});

/** Returns the default values of an operation's required variables. */
const requiredDefaults = ({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, type, defaultValue }) =>
      type.kind === Kind.NON_NULL_TYPE && defaultValue !== undefined
        ? [[variable.name.value, valueFromASTUntyped(defaultValue)]]
        : [],
    ),
  );

/** Adds default values to the variables of each execution. */
function withDefaults<Result extends Compiled>(compiled: Result, defaults: Record<string, unknown>): Result {
  if (!isCompiledQuery(compiled) || Object.keys(defaults).length === 0) return compiled;
  const query: CompiledQuery['query'] = (root, context, variables) =>
    compiled.query(root, context, { ...defaults, ...variables });
  return { ...compiled, query };
}

/**
 * Compiles an operation. The document must be valid. Returns errors if compilation isn't possible. A mutation with a single field is compiled as a
 * query, because a single field needs no sequential execution. The code that the compiler generates for mutations creates closures that V8 promotes
 * to the old generation, which would keep the whole request in memory until a full garbage collection. The compiler ignores the default values of
 * required variables, so they're added here.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string,
  options?: Options,
): Compiled {
  const requested = getOperationAST(document, operationName);
  if (requested == null) return compileQuery(schema, document, operationName, options);
  const compiled = isSingleMutation(requested)
    ? compileQuery(turnedSchema(schema), asQuery(document, requested), operationName, options)
    : compileQuery(schema, document, operationName, options);
  return withDefaults(compiled, requiredDefaults(requested));
}

import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { type CompiledQuery, compileQuery } from 'graphql-jit';

type Options = Parameters<typeof compileQuery>[3];

type Compiled = CompiledQuery | ExecutionResult;

/** The schema whose queries are another one's mutations, for each of those. */
const turned = new WeakMap<GraphQLSchema, GraphQLSchema>();

const turnedSchema = (schema: GraphQLSchema): GraphQLSchema =>
  turned.getOrInsertComputed(schema, () => {
    const { mutation, ...rest } = schema.toConfig();
    return new GraphQLSchema({ ...rest, query: mutation ?? null });
  });

const isSingleMutation = (definition: OperationDefinitionNode): boolean => {
  const { operation, selectionSet } = definition;
  const [only, ...others] = selectionSet.selections;
  return operation === OperationTypeNode.MUTATION && only?.kind === Kind.FIELD && others.length === 0;
};

/** The document with one of its operations as a query. */
const asQuery = (document: DocumentNode, requested: OperationDefinitionNode): DocumentNode => ({
  ...document,
  definitions: document.definitions.map((each) =>
    each === requested ? { ...requested, operation: OperationTypeNode.QUERY } : each,
  ),
});

/**
 * Compiles an operation of a validated document; answers errors where that cannot be done.
 *
 * A mutation of one field has nothing to run one after another, and is compiled like a query. What the compiler makes for mutations assigns
 * functions to members of an object: those V8 puts among its old objects at once, where they hold on to the whole request, its rows and its
 * answer, until all of the memory is searched through. Collecting young objects then costs several times as much.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string,
  options?: Options,
): Compiled {
  const requested = getOperationAST(document, operationName);
  if (requested == null || !isSingleMutation(requested))
    return compileQuery(schema, document, operationName, options);
  return compileQuery(turnedSchema(schema), asQuery(document, requested), operationName, options);
}

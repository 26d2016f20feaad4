import { normalizedExecutor } from '@graphql-tools/executor';
import { GraphQLDeferDirective } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLDirective,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

// Incremental delivery: parts of a query that are sent after the first response (docs/adr/0006-deferred-parts.md).

const { name: deferName } = GraphQLDeferDirective;

export const deferDirective = new GraphQLDirective({
  ...GraphQLDeferDirective.toConfig(),
  description:
    'Sends the fragment after the rest of the response. Only allowed in queries, outside of lists, and for clients that accept `multipart/mixed` or `text/event-stream`.',
});

/** Maximum number of deferred parts. The work grows quadratically with the number of parts, because each part waits for all other parts. */
const maxParts = 20;

const isDeferred = ({ directives }: SelectionNode): boolean =>
  directives?.some(({ name }) => name.value === deferName) === true;

/** True if the selections contain a deferred fragment at any depth. */
const deferredIn = ({ selections }: SelectionSetNode): boolean =>
  selections.some(
    (selection) =>
      isDeferred(selection) ||
      ('selectionSet' in selection &&
        selection.selectionSet !== undefined &&
        deferredIn(selection.selectionSet)),
  );

/** True if the document contains a deferred fragment. */
export const defersParts = (document: DocumentNode): boolean =>
  document.definitions.some(
    (definition) => 'selectionSet' in definition && deferredIn(definition.selectionSet),
  );

/** Finds deferred fragments in positions where they aren't allowed. Checks each fragment at most twice: outside and inside lists. */
class Places {
  readonly errors: GraphQLError[] = [];
  count = 0;
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #seen = new Set<string>();

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    this.#fragments = new Map(
      document.definitions
        .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
        .map((definition) => [definition.name.value, definition]),
    );
  }

  check({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined, problem: string | null): void {
    for (const selection of selections) {
      if (isDeferred(selection)) this.count++;
      if (problem !== null && isDeferred(selection))
        this.errors.push(new GraphQLError(`@defer can't be used ${problem}.`, { nodes: selection }));
      if (selection.kind === Kind.FRAGMENT_SPREAD) this.#checkFragment(selection.name.value, problem);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value;
        this.check(
          selection.selectionSet,
          condition === undefined ? type : this.#schema.getType(condition),
          problem,
        );
      } else if (selection.selectionSet !== undefined) {
        const field =
          isObjectType(type) || isInterfaceType(type) ? type.getFields()[selection.name.value] : undefined;
        const isList = field !== undefined && isListType(getNullableType(field.type));
        const within = field === undefined ? undefined : getNamedType(field.type);
        this.check(selection.selectionSet, within, isList ? (problem ?? 'below a list') : problem);
      }
    }
  }

  #checkFragment(name: string, problem: string | null): void {
    const fragment = this.#fragments.get(name);
    const key = `${name} ${problem}`;
    if (fragment === undefined || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.check(fragment.selectionSet, this.#schema.getType(fragment.typeCondition.name.value), problem);
  }
}

/** Returns the errors that deferred fragments cause in an otherwise valid document. */
export function deferErrors(schema: GraphQLSchema, document: DocumentNode): GraphQLError[] {
  const places = new Places(schema, document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const isQuery = definition.operation === OperationTypeNode.QUERY;
    const root = schema.getRootType(definition.operation) ?? undefined;
    places.check(definition.selectionSet, root, isQuery ? null : `in a ${definition.operation}`);
  }
  if (places.count > maxParts)
    places.errors.push(new GraphQLError(`A document can defer up to ${maxParts} parts.`));
  return places.errors;
}

/** Properties of a request that determine whether its response can be incremental. */
type Answerable = { readonly isBatch?: boolean; readonly request?: Pick<Request, 'headers'> };

const streams = /multipart\/mixed|text\/event-stream/i;

/** Matches the parameter that requests the incremental format of graphql-js 17, which isn't supported. */
const otherForm = /incrementalSpec=/i;

/** Throws GraphQLError if the response can't be delivered incrementally. */
export function checkCanDefer({ isBatch = false, request }: Answerable): void {
  if (isBatch) throw new GraphQLError("@defer can't be used in a batch.");
  const accepted = (request?.headers.get('accept') ?? '').split(',').filter((type) => streams.test(type));
  if (accepted.length === 0)
    throw new GraphQLError('@defer requires the header Accept: multipart/mixed or text/event-stream.');
  if (accepted.every((type) => otherForm.test(type)))
    throw new GraphQLError(
      "@defer responses use the format deferSpec=20220824. The format incrementalSpec isn't supported.",
    );
}

/** Executes a query with deferred parts. Yields the initial result, then each part. Stops if the client disconnects. */
export const executeDeferred = (args: ExecutionArgs): ReturnType<typeof normalizedExecutor> =>
  normalizedExecutor(args as never);

/** Part of a response that is delivered incrementally. */
type Part = Pick<ExecutionResult, 'errors'>;

/** Replaces the errors in all incremental results of a response with the errors that `change` returns. */
export function withErrorsOfParts<T extends object>(
  result: T,
  change: (part: { readonly errors: readonly Error[] }) => readonly GraphQLError[],
): T {
  const { incremental } = result as { readonly incremental?: readonly Part[] };
  if (incremental === undefined) return result;
  const parts = incremental.map((part) =>
    part.errors === undefined ? part : { ...part, errors: change({ errors: part.errors }) },
  );
  return { ...result, incremental: parts };
}

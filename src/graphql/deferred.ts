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

// Parts of a query that arrive after the rest of its answer (docs/adr/0006-deferred-parts.md).

const { name: deferName } = GraphQLDeferDirective;

export const deferDirective = new GraphQLDirective({
  ...GraphQLDeferDirective.toConfig(),
  description:
    'Answers the fragment after the rest of the query. Only in queries, only where no list lies above it, and only for clients that accept `multipart/mixed` or `text/event-stream`.',
});

/** Each part waits for all others, so that their number counts twice. */
const maxParts = 20;

const isDeferred = ({ directives }: SelectionNode): boolean =>
  directives?.some(({ name }) => name.value === deferName) === true;

/** Whether a fragment anywhere in these selections is deferred. */
const deferredIn = ({ selections }: SelectionSetNode): boolean =>
  selections.some(
    (selection) =>
      isDeferred(selection) ||
      ('selectionSet' in selection &&
        selection.selectionSet !== undefined &&
        deferredIn(selection.selectionSet)),
  );

/** Whether a document defers parts of its answer. */
export const defersParts = (document: DocumentNode): boolean =>
  document.definitions.some(
    (definition) => 'selectionSet' in definition && deferredIn(definition.selectionSet),
  );

/** Finds deferred fragments at places where they are rejected. A fragment is looked at once above lists, and once below. */
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
        this.errors.push(new GraphQLError(`@defer must not be used ${problem}.`, { nodes: selection }));
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

/** What is wrong with the deferred parts of a document that is valid otherwise. */
export function deferErrors(schema: GraphQLSchema, document: DocumentNode): GraphQLError[] {
  const places = new Places(schema, document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const isQuery = definition.operation === OperationTypeNode.QUERY;
    const root = schema.getRootType(definition.operation) ?? undefined;
    places.check(definition.selectionSet, root, isQuery ? null : `in a ${definition.operation}`);
  }
  if (places.count > maxParts)
    places.errors.push(new GraphQLError(`A document defers at most ${maxParts} parts.`));
  return places.errors;
}

/** What a request says of how it can be answered. */
type Answerable = { readonly isBatch?: boolean; readonly request?: Pick<Request, 'headers'> };

const streams = /multipart\/mixed|text\/event-stream/i;

/** What names another form of parts: that of graphql-js 17. */
const otherForm = /incrementalSpec=/i;

/** Throws GraphQLError for a request that cannot be answered in parts. */
export function checkCanDefer({ isBatch = false, request }: Answerable): void {
  if (isBatch) throw new GraphQLError('@defer must not be used in a batch.');
  const accepted = (request?.headers.get('accept') ?? '').split(',').filter((type) => streams.test(type));
  if (accepted.length === 0)
    throw new GraphQLError('@defer needs the header Accept: multipart/mixed, or text/event-stream.');
  if (accepted.every((type) => otherForm.test(type)))
    throw new GraphQLError('@defer is answered in the form of deferSpec=20220824, not of incrementalSpec.');
}

/** Executes a query of a validated document whose parts are deferred: its first result, then each part. It ends when the client leaves. */
export const executeDeferred = (args: ExecutionArgs): ReturnType<typeof normalizedExecutor> =>
  normalizedExecutor(args as never);

/** A part that arrives later. */
type Part = Pick<ExecutionResult, 'errors'>;

/** The errors of a result and of the parts that arrive with it, each list as `change` returns it. */
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

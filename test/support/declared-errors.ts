import {
  type DocumentNode,
  type GraphQLError,
  getOperationAST,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { errorsOf, generalErrors } from '../../src/graphql/field-errors.ts';
import { schema } from '../../src/schema.ts';

// Errors that tests meet over GraphQL are held to what the fields declare.

type Failure = Pick<GraphQLError, 'path'> | { readonly path?: readonly (string | number)[] };
/** An error of an answer, as a client gets it. */
export type MetError = Failure & { readonly extensions: Readonly<Record<string, unknown>> };

/** The names of root fields by what their answers are called, below fragments too. */
function rootFieldsOf(document: DocumentNode, { selections }: SelectionSetNode): [string, string][] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD)
      return [[selection.alias?.value ?? selection.name.value, selection.name.value] as [string, string]];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFieldsOf(document, selection.selectionSet);
    const fragment = document.definitions.find(
      (definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? rootFieldsOf(document, fragment.selectionSet) : [];
  });
}

/** The errors of an answer whose code is neither declared at the root field they come from nor one that every field can answer. */
export function undeclaredErrors(query: string, errors: readonly MetError[]): string[] {
  // What has no path was rejected before a field was asked.
  const failed = errors.filter(({ path, extensions }) => {
    return path !== undefined && !(generalErrors as ReadonlySet<unknown>).has(extensions['code']);
  });
  if (failed.length === 0) return [];
  const document = parse(query);
  const operation = getOperationAST(document);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return [];
  const names = new Map(rootFieldsOf(document, operation.selectionSet));
  return failed.flatMap(({ path, extensions }) => {
    const code = String(extensions['code']);
    const name = names.get(String(path?.[0])) ?? '';
    const field = root.getFields()[name];
    const isDeclared = field !== undefined && errorsOf(field).some((declared) => declared === code);
    return isDeclared ? [] : [`${name} answers ${code}, which its declaration does not name.`];
  });
}

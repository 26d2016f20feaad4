import {
  type DocumentNode,
  type GraphQLError,
  getOperationAST,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { errorsOf, generalErrors } from '../../src/graphql/declare/field-errors.ts';
import { schema } from '../../src/schema.ts';

// Checks that each error in a GraphQL response is declared by its field.

type Failure = Pick<GraphQLError, 'path'> | { readonly path?: readonly (string | number)[] };
export type MetError = Failure & { readonly extensions: Readonly<Record<string, unknown>> };

/** Returns the response name and the field name of each root field, including fields in fragments. */
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

/** Returns a response's errors that are declared neither for their root field nor as general errors. */
export function undeclaredErrors(query: string, errors: readonly MetError[]): string[] {
  // Errors without a path occur before a field is resolved.
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

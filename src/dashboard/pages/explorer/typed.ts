import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import type { TypedRequest } from '../../data/explorer-requests.ts';
import type { EditorProblem } from '../../kit/editor/problems.ts';

/** Returns the operations of a document. Empty if the document can't be parsed; the service then returns the error. */
export function operationsIn(document: string): readonly OperationDefinitionNode[] {
  let parsed: DocumentNode;
  try {
    parsed = parse(document);
  } catch {
    return [];
  }
  return parsed.definitions.filter(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  );
}

/** Parses a JSON object. Returns an empty object for an empty string. `null` if the string isn't a JSON object. */
function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

type Typed = { readonly document: string; readonly variables: string; readonly headers: string };

/** Creates a request from the typed text. If an input isn't a JSON object, `wrong` is the name of that input. */
export function requestOf(
  { document, variables: variableText, headers: headerText }: Typed,
  operationName: string | null,
): TypedRequest | { readonly wrong: 'variables' | 'headers' } {
  const variables = objectIn(variableText);
  if (variables === null) return { wrong: 'variables' };
  const headers = objectIn(headerText);
  if (headers === null || Object.values(headers).some((value) => typeof value !== 'string'))
    return { wrong: 'headers' };
  const operations = operationsIn(document);
  const operation = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
  return {
    name: operation?.name?.value ?? '',
    kind: operation?.operation ?? 'query',
    document,
    variables,
    headers: headers as Record<string, string>,
  };
}

type Located = {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
};

/** Returns the positions of a response's errors in the document. Omits errors without a position. */
export const problemsOf = (errors: readonly Located[]): readonly EditorProblem[] =>
  errors.flatMap(({ message, locations = [] }) =>
    locations.map(({ line, column }) => ({ line, column, message })),
  );

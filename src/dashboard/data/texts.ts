import { getOperationName, stringifyDocument } from '@urql/core';
import type { Document } from '../../ui/documents.ts';
import { language } from '../words/language.ts';

// The service recognizes documents by their text, so each goes out as it stands in the build.

type Query = Parameters<typeof stringifyDocument>[0] & object;

const texts = new Map<string, string>();

const operation = /(?:query|mutation|subscription) (\w+)/;

/** Remembers the text of a document, under the name of its operation, which no other has. */
export function remember<Result, Variables>(
  document: Document<Result, Variables>,
): Document<Result, Variables> {
  const [, name = ''] = operation.exec(document) ?? [];
  texts.set(name, document);
  return document;
}

/** The variables that are sent with a text: those that ask for a language get that of the page. */
export const variablesFor = (
  text: string,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  text.includes('$language: Language') ? { language, ...variables } : { ...variables };

/** The name of a document's operation. */
export const nameOf = (query: Query): string => getOperationName(query as never) ?? '';

/** The text of a document. */
export const textOf = (query: Query): string => texts.get(nameOf(query)) ?? stringifyDocument(query);

import { getOperationName, stringifyDocument } from '@urql/core';
import type { Document } from '../../ui/documents.ts';
import { language } from '../words/language.ts';

// The service identifies documents by their exact text, so each document is sent exactly as it was built.

type Query = Parameters<typeof stringifyDocument>[0] & object;

const texts = new Map<string, string>();

const operation = /(?:query|mutation|subscription) (\w+)/;

/** Stores a document's text by operation name. Operation names are unique. */
export function remember<Result, Variables>(
  document: Document<Result, Variables>,
): Document<Result, Variables> {
  const [, name = ''] = operation.exec(document) ?? [];
  texts.set(name, document);
  return document;
}

/** Returns the variables to send with a document. Adds the page's language if the document has a `$language` variable. */
export const variablesFor = (
  text: string,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  text.includes('$language: Language') ? { language, ...variables } : { ...variables };

export const nameOf = (query: Query): string => getOperationName(query as never) ?? '';

export const textOf = (query: Query): string => texts.get(nameOf(query)) ?? stringifyDocument(query);

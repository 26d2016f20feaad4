import { hash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import { QuittanceError, specificRejection } from '../../domain/errors/errors.ts';
import type { Caller } from '../../request/context.ts';

// GraphQL documents of the dashboard and hosted pages. Clients can reference a document by the SHA-256 hash of its text.

/** Request parameters that identify a document. */
export type DocumentParameters = {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the document hash from an automatic persisted query, or `null`. */
function persistedHash(extensions: unknown): string | null {
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined;
  const named = isObject(persisted) ? persisted['sha256Hash'] : undefined;
  return typeof named === 'string' ? named : null;
}

/** True if the request references its document instead of containing the text. */
export const namesDocument = ({ query, documentId, extensions }: DocumentParameters): boolean =>
  (query === undefined || query === null || query === '') &&
  (typeof documentId === 'string' || persistedHash(extensions) !== null);

/** Error that makes clients with automatic persisted queries send the full document. Documents that clients send aren't stored by hash. */
export class PersistedQueryNotSupportedError extends GraphQLError {
  readonly code = 'PERSISTED_QUERY_NOT_SUPPORTED';

  constructor() {
    super('PersistedQueryNotSupported');
  }
}

/** Error for a document that may be sent only with an API key. */
class UntrustedDocumentError extends QuittanceError {
  override name = 'UntrustedDocumentError';

  constructor() {
    super(specificRejection('forbidden', 'unknown_document'));
  }
}

/** Text of each known document. The number of documents can grow, for example after a build. */
export type KnownTexts = {
  readonly has: (text: string) => boolean;
  /** Returns the text with a SHA-256 hash in hexadecimal. Undefined if the hash is unknown. */
  readonly named: (hash: string) => string | undefined;
};

/** Indexes documents by the hash of their text. */
export function knownTexts(texts: Iterable<string>): KnownTexts {
  const byHash = new Map([...texts].map((text) => [hash('sha256', text), text]));
  const all = new Set(byHash.values());
  return { has: (text) => all.has(text), named: (name) => byHash.get(name) };
}

/** Known documents, and the setting that restricts other documents. */
export class TrustedDocuments {
  readonly #known: KnownTexts;
  readonly #isOnly: boolean;

  /** If `isOnly` is true, unknown documents require an API key. */
  constructor(known: KnownTexts = knownTexts([]), isOnly = false) {
    this.#known = known;
    this.#isOnly = isOnly;
  }

  /**
   * Returns the text of the sent or referenced document. Undefined if the request contains no document and no
   * reference. Throws GraphQLError if the referenced document is unknown.
   */
  textOf({ query, documentId, extensions }: DocumentParameters): string | undefined {
    if (typeof query === 'string' && query !== '') return query;
    if (typeof documentId === 'string') {
      const text = this.#known.named(documentId.replace(/^sha256:/, ''));
      if (text === undefined)
        throw new GraphQLError('The documentId is unknown. Send the text of the document as query.');
      return text;
    }
    const persisted = persistedHash(extensions);
    if (persisted === null) return undefined;
    const text = this.#known.named(persisted);
    if (text === undefined) throw new PersistedQueryNotSupportedError();
    return text;
  }

  /** Throws `forbidden` if the caller may not send this document. */
  check(caller: Caller, text: string): void {
    if (!this.#isOnly || caller.kind === 'key' || this.#known.has(text)) return;
    throw new UntrustedDocumentError();
  }
}

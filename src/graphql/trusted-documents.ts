import { hash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Caller } from '../context.ts';
import { QuittanceError, specificRejection } from '../domain/errors.ts';

// Documents that are known before anybody sends them: those of our own pages. A client may name one by the SHA-256 hash of its text.

/** The parameters of an operation that say which document it is of. */
export type DocumentParameters = {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The hash by which automatic persisted queries name a document; null where there is none. */
function persistedHash(extensions: unknown): string | null {
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined;
  const named = isObject(persisted) ? persisted['sha256Hash'] : undefined;
  return typeof named === 'string' ? named : null;
}

/** Whether an operation names its document instead of sending it. */
export const namesDocument = ({ query, documentId, extensions }: DocumentParameters): boolean =>
  (query === undefined || query === null || query === '') &&
  (typeof documentId === 'string' || persistedHash(extensions) !== null);

/**
 * Tells a client of automatic persisted queries to send its documents, in the words such clients know: documents that were not known before are not
 * kept by a hash.
 */
export class PersistedQueryNotSupportedError extends GraphQLError {
  readonly code = 'PERSISTED_QUERY_NOT_SUPPORTED';

  constructor() {
    super('PersistedQueryNotSupported');
  }
}

/** The rejection of a document that is for API keys alone. */
class UntrustedDocumentError extends QuittanceError {
  override name = 'UntrustedDocumentError';

  constructor() {
    super(specificRejection('forbidden', 'unknown_document'));
  }
}

/** Texts that are known, perhaps later than now. */
export type KnownTexts = {
  readonly has: (text: string) => boolean;
  /** The text of a SHA-256 hash in hexadecimal digits; undefined where none is known. */
  readonly named: (hash: string) => string | undefined;
};

/** Texts by their hashes. */
export function knownTexts(texts: Iterable<string>): KnownTexts {
  const byHash = new Map([...texts].map((text) => [hash('sha256', text), text]));
  const all = new Set(byHash.values());
  return { has: (text) => all.has(text), named: (name) => byHash.get(name) };
}

/** The documents of our own pages, and who may send others. */
export class TrustedDocuments {
  readonly #known: KnownTexts;
  readonly #isOnly: boolean;

  /** With `isOnly`, other documents are for API keys alone. */
  constructor(known: KnownTexts = knownTexts([]), isOnly = false) {
    this.#known = known;
    this.#isOnly = isOnly;
  }

  /** The document an operation sends or names; undefined where it does neither. Throws GraphQLError for a name nobody knows. */
  textOf({ query, documentId, extensions }: DocumentParameters): string | undefined {
    if (typeof query === 'string' && query !== '') return query;
    if (typeof documentId === 'string') {
      const text = this.#known.named(documentId.replace(/^sha256:/, ''));
      if (text === undefined)
        throw new GraphQLError('No document of this documentId is known. Send its text as query.');
      return text;
    }
    const persisted = persistedHash(extensions);
    if (persisted === null) return undefined;
    const text = this.#known.named(persisted);
    if (text === undefined) throw new PersistedQueryNotSupportedError();
    return text;
  }

  /** Throws `forbidden` for a document this caller may not send. */
  check(caller: Caller, text: string): void {
    if (!this.#isOnly || caller.kind === 'key' || this.#known.has(text)) return;
    throw new UntrustedDocumentError();
  }
}

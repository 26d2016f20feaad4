import { createHash, randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isCounted, minuteOf, shortAddress } from '../../domain/requests/counted.ts';
import {
  cutMark,
  type Masking,
  maskAddress,
  maskDocument,
  maskJson,
  maskText,
} from '../../domain/requests/mask-text.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { Described, RequestNote } from './entry.ts';

// Turns requests and their responses into records with masked bodies.

/** Maximum number of characters of a stored body. */
const bodyLimit = 8_192;

/** Size in bytes from which a request body is stored as its size only. */
const readableBytes = 65_536;

/** Maximum number of characters of texts that a client chooses. */
const textLimit = 255;

/** Masked bodies of a request, as stored in a block. */
export type RequestBodies = {
  readonly address: string;
  readonly request: string | null;
  readonly response: string | null;
};

export type RequestRow = Omit<Row<'RequestRecord'>, 'environmentId'>;

/** Record and the bodies to store with it. `bodies` is `null` if the record counts requests. */
export type ShapedRequest = { readonly row: RequestRow; readonly bodies: RequestBodies | null };

/** Sequence number of the next record. Processes start at different numbers, so that the numbers of one millisecond differ. */
let nextSeq = BigInt(randomInt(2 ** 47));

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the text of a body. `null` if the body is too large or isn't valid UTF-8. */
function textOf(body: unknown): string | null {
  if (typeof body === 'string') return body;
  if (!(body instanceof Uint8Array) || body.byteLength > readableBytes) return null;
  try {
    return decoder.decode(body);
  } catch {
    return null;
  }
}

const sizeOf = (body: unknown): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body instanceof Uint8Array ? body.byteLength : 0;

/** Describes a body that isn't stored. */
const sizeText = (bytes: number): string => `[${bytes} bytes]`;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type GraphqlBody = { readonly query?: unknown };

/** Masks the literals of the GraphQL documents in a request. */
function withoutLiterals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLiterals);
  const { query } = (value ?? {}) as GraphqlBody;
  return typeof query === 'string' ? { ...(value as object), query: maskDocument(query) } : value;
}

/** Returns the masked text of a request body. */
function maskedRequest(
  body: unknown,
  text: string | null,
  isGraphql: boolean,
  masking: Masking,
): string | null {
  const size = sizeOf(body);
  if (size === 0) return null;
  const value = text === null ? undefined : parsed(text);
  if (text === null || value === undefined) return sizeText(size);
  return maskJson(isGraphql ? JSON.stringify(withoutLiterals(value)) : text, bodyLimit, masking);
}

/** Returns the masked text of a response. Responses of the service are JSON, except documents and streams. */
function maskedResponse(body: unknown, masking: Masking): string | null {
  if (body === null || body === undefined) return null;
  if (typeof body !== 'string') return body instanceof Uint8Array ? sizeText(body.byteLength) : '[stream]';
  if (!/^\s*[{[]/.test(body)) return body === '' ? null : sizeText(Buffer.byteLength(body));
  return maskJson(body, bodyLimit, masking);
}

type Errors = {
  readonly error?: { readonly code?: unknown };
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[];
};

/** Returns the code of the first error in a response. `null` if the response contains no error. */
function codeOf(status: number, response: unknown): string | null {
  if (typeof response !== 'string') return null;
  if (status < 400 && !response.includes('"errors":[')) return null;
  const { error, errors = [] } = (parsed(response) ?? {}) as Errors;
  const code = error?.code ?? errors[0]?.extensions?.code;
  return typeof code === 'string' ? code : null;
}

/** Returns the customer of a request: the only customer whose ID occurs in the texts. `null` if several customers or none occur. */
function customerOf(texts: readonly (string | null)[]): string | null {
  const found = new Set(texts.flatMap((text) => text?.match(/\bcus_[0-9A-Za-z]{20,}\b/g) ?? []));
  return found.size === 1 ? ([...found][0] ?? null) : null;
}

const cut = (text: string | null): string | null =>
  text === null || text.length <= textLimit ? text : `${text.slice(0, textLimit)}${cutMark}`;

/** Returns a header that a client chose, masked and cut off. */
const clientText = (text: string | null): string | null => cut(text === null ? null : maskText(text));

/** IDs of the records that count requests, by the counted properties. Most counted requests belong to a few records. */
const countingIds = new LRUCache<string, string>({ max: 1_000 });

/** ID of the record that counts the requests of a caller, an operation, a status, and a minute. */
function countingId(counted: string): string {
  const known = countingIds.get(counted);
  if (known !== undefined) return known;
  const id = `minute-${createHash('sha256').update(counted).digest('base64url').slice(0, 24)}`;
  countingIds.set(counted, id);
  return id;
}

/** Returns the record of a request. If `isCrowded` is `true`, the request is only counted. */
export function shapeRequest(note: RequestNote, at: Date, isCrowded: boolean): ShapedRequest {
  const { caller, request, route, status, response, transport } = note;
  // The operation of a REST request doesn't depend on its body, so the bodies of counted requests aren't read.
  const early = transport === 'rest' ? note.describe(null) : null;
  const isKnownCounted = early !== null && (isCrowded || isCounted(early.operation, status));
  const requestText = isKnownCounted ? null : textOf(request.body);
  const described: Described = early ?? note.describe(requestText);
  const { operation, fieldsOf } = described;
  const isOnlyCounted = isKnownCounted || isCrowded || isCounted(operation, status);
  const createdAt = isOnlyCounted ? minuteOf(at) : at;
  const row: RequestRow = {
    id: isOnlyCounted
      ? countingId(`${caller.id}\n${transport}\n${operation}\n${status}\n${createdAt.toISOString()}`)
      : request.id,
    seq: nextSeq++,
    createdAt,
    transport,
    method: request.method,
    route,
    operation: cut(operation) ?? '',
    status,
    code: null,
    callerKind: caller.kind,
    callerId: caller.id,
    customerId: null,
    idempotencyKey: null,
    isDryRun: note.isDryRun,
    replayOf: null,
    ipAddress: isOnlyCounted || request.remoteAddress === '' ? null : shortAddress(request.remoteAddress),
    userAgent: isOnlyCounted ? null : clientText(request.userAgent),
    apiVersion: note.apiVersion,
    milliseconds: Math.round(note.milliseconds),
    requestBytes: sizeOf(request.body),
    responseBytes: note.responseBytes,
    count: 1,
    slowestRequestId: request.id,
    blockId: null,
    slot: null,
  };
  if (isOnlyCounted) return { row, bodies: null };
  const masking: Masking = {
    operation: operation.split(',')[0] ?? '',
    isLive: note.isLive,
    ...(fieldsOf === undefined ? {} : { fieldsOf }),
  };
  const [path = '', search = ''] = request.address.split('?', 2);
  const bodies: RequestBodies = {
    address: maskAddress(path, transport === 'graphql' ? '' : search, masking),
    request: maskedRequest(request.body, requestText, transport === 'graphql', masking),
    response: maskedResponse(response, masking),
  };
  return {
    row: {
      ...row,
      code: codeOf(status, response),
      customerId: customerOf([bodies.address, bodies.request, bodies.response]),
      idempotencyKey: clientText(request.idempotencyKey),
      replayOf: request.replayOf ?? null,
    },
    bodies,
  };
}

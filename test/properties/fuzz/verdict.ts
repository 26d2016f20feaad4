import type { FuzzRequest } from './request.ts';
import type { Answer } from './send.ts';

/** Patterns that no response may contain. The fuzzer's requests don't contain any of them. */
const internals: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack trace', /\n\s+at \S+ \(|\bat (?:async )?[\w.]+ \((?:file|node|\/)/],
  [
    'a file of the program',
    /node_modules|node:internal|file:\/\/|\/src\/(?:platform|graphql|rest|engine|modules|domain)\//,
  ],
  [
    'SQL',
    /\b(?:SELECT|UPDATE|DELETE) [^"]{0,80}\bFROM "|INSERT INTO "|violates \w+ ?\w* constraint|invalid input syntax|current transaction is aborted|deadlock detected/,
  ],
  ['a library', /PrismaClient|PGlite|pg_catalog|\bpg-pool\b|SQLSTATE/],
  [
    'an error of JavaScript',
    /Cannot read propert|is not a function|is not iterable|Maximum call stack|Cannot convert undefined/,
  ],
];

/** Returns the fault in a response, or `null` if the response has no fault. Status 503 with `Retry-After` isn't a fault. */
export function faultOf(request: FuzzRequest, { status, headers, body, isSilent }: Answer): string | null {
  if (isSilent) return 'no answer';
  const isOverload = status === 503 && headers['retry-after'] !== undefined;
  if (status !== null && status >= 500 && status !== 501 && status !== 505 && !isOverload)
    return `status ${status}`;
  // Node itself responds with status 501 or 505 to an invalid method or HTTP version.
  if ((status === 501 || status === 505) && request.kind === 'http') return `status ${status}`;
  if (/"code":"internal_error"/.test(body) && !isReference(request)) return 'internal_error';
  const shown = isReference(request) ? undefined : internals.find(([, pattern]) => pattern.test(body));
  return shown === undefined ? null : `shows ${shown[0]}`;
}

/** Documentation pages contain the names of errors, and the GraphiQL page contains JavaScript. */
const isReference = (request: FuzzRequest): boolean =>
  request.kind === 'http' &&
  (/^\/(?:docs|openapi\.json|assets|metrics)/.test(request.path) ||
    (request.path.startsWith('/graphql') && request.method === 'GET'));

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const octal = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) =>
      byte > 32 && byte < 127 && byte !== 37 && byte !== 39 && byte !== 92
        ? String.fromCharCode(byte)
        : `\\${byte.toString(8).padStart(3, '0')}`,
    )
    .join('');

/** Formats a request as a shell command that repeats it. */
export function commandOf(url: string, request: FuzzRequest): string {
  const { hostname, port } = new URL(url);
  if (request.kind === 'bytes')
    return request.pieces
      .map((piece) => `printf '${octal(piece)}'`)
      .join('; ')
      .replace(/^(.*)$/s, `{ $1; sleep 1; } | nc ${hostname} ${port}`);
  const { method, path, headers, body } = request;
  const provided = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const isPrintable = body !== null && /^[\n\r\t\x20-\x7e]*$/.test(body.toString('latin1'));
  const data =
    body === null ? [] : isPrintable ? [`--data-binary ${quoted(body.toString())}`] : ['--data-binary @-'];
  const piped = body !== null && !isPrintable ? `base64 -d <<< ${body.toString('base64')} | ` : '';
  return [`${piped}curl -sg --path-as-is -X ${method}`, ...provided, ...data, quoted(`${url}${path}`)].join(
    ' ',
  );
}

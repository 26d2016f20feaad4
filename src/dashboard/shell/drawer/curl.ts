import type { Request } from '../../data/requests.ts';

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A request as a command for a terminal, with a key instead of the session. */
export const curlOf = ({ document: query, variables, name: operationName }: Request, url: string): string =>
  [
    `curl ${url}`,
    `-H 'content-type: application/json'`,
    `-H "x-api-key: $QUITTANCE_KEY"`,
    `-d ${quoted(JSON.stringify({ query, variables, ...(operationName === '' ? {} : { operationName }) }))}`,
  ].join(' \\\n  ');

import type { Request } from '../../data/requests.ts';

/** Quotes a string as a single argument of a shell command. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a request as a curl command that authenticates with an API key instead of the session. */
export const curlOf = ({ document: query, variables, name: operationName }: Request, url: string): string =>
  [
    `curl ${url}`,
    `-H 'content-type: application/json'`,
    `-H "x-api-key: $QUITTANCE_KEY"`,
    `-d ${quoted(JSON.stringify({ query, variables, ...(operationName === '' ? {} : { operationName }) }))}`,
  ].join(' \\\n  ');

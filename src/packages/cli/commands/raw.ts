import { readFileSync } from 'node:fs';
import { UsageError } from '../output.ts';
import { command } from '../session.ts';

/** Reads JSON from an argument, from a file (`@path`), or from the standard input (`-`). */
function readJson(option: string, text: string): unknown {
  const content =
    text === '-'
      ? readFileSync(0, 'utf8')
      : text.startsWith('@')
        ? readFileSync(text.slice(1), 'utf8')
        : text;
  try {
    return JSON.parse(content);
  } catch {
    throw new UsageError(`${option} doesn't contain JSON.`);
  }
}

/** Defines the command for a REST method. */
const rawCommand = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') =>
  command({
    description: `Send a ${method} request to a REST route, such as /customers.`,
    args: {
      path: { type: 'positional', required: true, description: 'Path below /api/v1, with the query string.' },
      data: {
        type: 'string',
        alias: 'd',
        valueHint: 'JSON',
        description: 'Body as JSON. @FILE reads a file, and - reads the standard input.',
      },
      'idempotency-key': {
        type: 'string',
        description: 'Key that identifies the change. Defaults to a new UUID.',
      },
      'dry-run': { type: 'boolean', description: 'Show the response without making the change.' },
    },
    run: async ({ client, print }, { path, data, ...args }) => {
      if (!path.startsWith('/')) throw new UsageError('The path must start with a slash.');
      const hasBody = method !== 'GET' && method !== 'DELETE';
      if (data !== undefined && !hasBody) throw new UsageError(`A ${method} request has no body.`);
      const key = args['idempotency-key'];
      print(
        await client.request(method, path, {
          ...(hasBody ? { body: data === undefined ? {} : readJson('--data', data) } : {}),
          ...(key === undefined ? {} : { idempotencyKey: key }),
          ...(args['dry-run'] === true ? { dryRun: true } : {}),
        }),
      );
    },
  });

export const rawCommands = {
  get: rawCommand('GET'),
  post: rawCommand('POST'),
  put: rawCommand('PUT'),
  patch: rawCommand('PATCH'),
  delete: rawCommand('DELETE'),
};

export const graphql = command({
  description: 'Execute a GraphQL document.',
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'File with the document, or - for the standard input.',
    },
    variables: { type: 'string', valueHint: 'JSON', description: 'Variables as JSON, @FILE, or -.' },
  },
  run: async ({ client, print }, { file, variables }) => {
    const query = readFileSync(file === '-' ? 0 : String(file), 'utf8');
    const values = variables === undefined ? {} : readJson('--variables', variables);
    print(await client.graphql(query, values as Record<string, unknown>));
  },
});

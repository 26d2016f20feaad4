import type { GraphQLSchema } from 'graphql';
import type { Scope } from '../../src/domain/limits/permissions.ts';
import { mintKey } from '../../src/modules/organization/api-keys/mint.ts';
import { createOrganization } from '../../src/modules/organization/organizations/create.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { parseConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { openLog } from '../../src/platform/log.ts';
import { deriveSecrets } from '../../src/platform/secrets.ts';
import { systemContext } from '../../src/request/context.ts';
import { schema } from '../../src/schema.ts';
import { createApp } from '../../src/start.ts';
import { askHandler, openRestHandler } from '../support/handler.ts';
import { leaseDatabase } from '../support/reused.ts';

// REST layer on a separate database, without a server, pages, or a worker.

/** A running REST layer with one organization. */
export type Door = Awaited<ReturnType<typeof openDoor>>;

/** Response from the REST layer, with the body as bytes and as parsed JSON. */
export type Reply = {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
  readonly headers: Headers;
};

/** Options for a request to the REST layer. */
export type Ask = {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  /** Value to send as a JSON body. To send a body unchanged, use `text`. */
  readonly body?: unknown;
  readonly text?: string | Uint8Array<ArrayBuffer>;
};

export const requestId = '0b9f4f6e-3c0a-4b5e-9a44-6f2f5a3f1c11';

/**
 * Starts the REST layer on the given database, or on a new database that closes together with the layer. `settings` override the defaults.
 */
export async function openDoor(
  settings: Record<string, string> = {},
  parts: { wall?: Clock; database?: Database; schema?: GraphQLSchema } = {},
) {
  const config = parseConfig({
    LOG_LEVEL: 'silent',
    DATA_DIR: 'memory:',
    PUBLIC_URL: 'https://billing.example',
    ...settings,
  });
  const fresh =
    parts.database === undefined
      ? await leaseDatabase()
      : { database: parts.database, release: async () => undefined };
  const { database } = fresh;
  const log = openLog('silent');
  const secrets = deriveSecrets('a secret of the tests, long enough to be one');
  const { wall } = parts;
  const app = await createApp({ config, database, secrets, log, ...(wall === undefined ? {} : { wall }) });
  const organization = await createOrganization(app, { name: 'Door tests' });
  const mint = async (livemode: boolean, scopes?: readonly Scope[], expiresAt?: Date) => {
    const environment = livemode ? organization.live : organization.sandbox;
    const minted = await database.transaction((transaction) =>
      mintKey(
        transaction,
        environment,
        { name: 'key', ...(scopes === undefined ? {} : { scopes }), expiresAt: expiresAt ?? null },
        app.wall.now(),
      ),
    );
    if (minted === null) throw new Error('The secret is taken.');
    return minted.secret;
  };
  const sandboxKey = await mint(false);
  const handler = openRestHandler(app, parts.schema ?? schema);

  const ask = async (method: string, path: string, provided: Ask = {}): Promise<Reply> => {
    const key = provided.key === undefined ? sandboxKey : provided.key;
    const body = provided.text ?? (provided.body === undefined ? undefined : JSON.stringify(provided.body));
    const headers = {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...provided.headers,
    };
    const request = new Request(`https://billing.example/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const response = await askHandler(handler, request, requestId);
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text), headers: response.headers };
  };

  return {
    app,
    ask,
    mint,
    sandboxKey,
    sandbox: await systemContext(app, organization.sandbox.id),
    live: await systemContext(app, organization.live.id),
    close: async () => {
      if (parts.database !== undefined) return;
      await database.close();
      await fresh.release();
    },
  };
}

/** Returns the error envelope documented in the contract. */
export const envelope = (
  type: string,
  code: string,
  message: string,
  extra: Record<string, unknown> = {},
) => ({
  error: {
    type,
    code,
    message,
    ...extra,
    doc_url: `https://billing.example/docs/api-reference/2026-08-27/errors/${code}.md`,
  },
});

/** Returns the error envelope for a validation error with these issues, in order. */
export function invalid(...issues: readonly [field: string, message: string][]) {
  const [first = ['', '']] = issues;
  return envelope('validation_error', 'validation_error', `${first[0]}: ${first[1]}.`, {
    param: first[0],
    details: issues.map(([field, message]) => ({ field, message })),
  });
}

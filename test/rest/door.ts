import type { GraphQLSchema } from 'graphql';
import { type App, type Scope, systemContext } from '../../src/context.ts';
import { openGateways } from '../../src/gateway/index.ts';
import { openAuth } from '../../src/infra/auth.ts';
import { type Clock, systemClock } from '../../src/infra/clock.ts';
import { parseConfig } from '../../src/infra/config.ts';
import type { Database } from '../../src/infra/db.ts';
import { openJobs } from '../../src/infra/jobs.ts';
import { openLog } from '../../src/infra/log.ts';
import { openMail } from '../../src/infra/mail.ts';
import { openPubSub } from '../../src/infra/pubsub.ts';
import { deriveSecrets } from '../../src/infra/secrets.ts';
import { computeTax } from '../../src/infra/tax-tables.ts';
import { mintKey } from '../../src/modules/api-keys/mint.ts';
import { createOrganization } from '../../src/modules/organizations/create.ts';
import { restHandler } from '../../src/rest/app.ts';
import { schema } from '../../src/schema.ts';
import { freshDatabase } from '../support/template.ts';

// The REST layer alone, on a database of its own: what is tested here needs no server, no pages and no worker.

/** A running layer with one organization. */
export type Door = Awaited<ReturnType<typeof openDoor>>;

/** One answer, its body both as bytes and parsed. */
export type Reply = { readonly status: number; readonly text: string; readonly body: unknown; readonly headers: Headers };

/** How a request differs from a plain one. */
export type Ask = {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  /** Sent as JSON; `text` is sent as it is. */
  readonly body?: unknown;
  readonly text?: string | Uint8Array<ArrayBuffer>;
};

export const requestId = '0b9f4f6e-3c0a-4b5e-9a44-6f2f5a3f1c11';

/** Opens the layer with settings laid over quiet defaults, on a fresh database or the given one, which then is not closed with it; of the product's schema or another. */
export async function openDoor(
  settings: Record<string, string> = {},
  parts: { wall?: Clock; database?: Database; schema?: GraphQLSchema } = {},
) {
  const config = parseConfig({ LOG_LEVEL: 'silent', DATA_DIR: 'memory:', PUBLIC_URL: 'https://billing.example', ...settings });
  const fresh = parts.database === undefined ? await freshDatabase() : { database: parts.database, drop: async () => undefined };
  const { database } = fresh;
  const log = openLog('silent');
  const secrets = deriveSecrets('a secret of the tests, long enough to be one');
  const app: App = {
    config,
    database,
    pubsub: await openPubSub({ role: 'all' }, database),
    secrets,
    auth: openAuth({ config, database, secrets, log }),
    gateways: openGateways({ config, database, secrets }),
    tax: computeTax,
    mail: openMail(config),
    jobs: await openJobs(database, { isWorker: false, pollMs: config.workerPollMs, log }),
    log,
    wall: parts.wall ?? systemClock,
  };
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
  const handle = restHandler(parts.schema ?? schema, app);

  const ask = async (method: string, path: string, given: Ask = {}): Promise<Reply> => {
    const key = given.key === undefined ? sandboxKey : given.key;
    const body = given.text ?? (given.body === undefined ? undefined : JSON.stringify(given.body));
    const headers = {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...given.headers,
    };
    const request = new Request(`https://billing.example/api/v1${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const response = await handle(request, requestId, '203.0.113.9');
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
      await app.jobs.close();
      if (parts.database !== undefined) return;
      await database.close();
      await fresh.drop();
    },
  };
}

/** The error envelope as the contract has it. */
export const envelope = (type: string, code: string, message: string, extra: Record<string, unknown> = {}) => ({
  error: { type, code, message, ...extra, doc_url: `https://billing.example/docs/api-reference/2026-08-27/errors/${code}.md` },
});

/** The envelope of a validation error with these issues, in order. */
export function invalid(...issues: readonly [field: string, message: string][]) {
  const [first = ['', '']] = issues;
  return envelope('validation_error', 'validation_error', `${first[0]}: ${first[1]}.`, {
    param: first[0],
    details: issues.map(([field, message]) => ({ field, message })),
  });
}

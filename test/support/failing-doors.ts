import { expect } from 'vitest';
import type { App } from '../../src/request/context.ts';
import { schema } from '../../src/schema.ts';
import { askHandler, openRestHandler } from './handler.ts';
import type { Answer, TestApp } from './harness.ts';

// REST layers that reject every request and share an application's database.

export type Send = (method: string, path: string) => Promise<Answer<unknown>>;

/** Returns a function that calls a REST layer on the application's database with a key. */
function doorOf(app: App, key: string): Send {
  const handler = openRestHandler(app, schema);
  return async (method, path) => {
    const request = new Request(`https://billing.example/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key },
    });
    const response = await askHandler(handler, request);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}

/** REST layer with a limit of one request per minute, called with a key that has reached the limit. */
export async function limitedDoor(t: TestApp): Promise<Send> {
  const send = doorOf(
    { ...t.app, config: { ...t.app.config, rateLimitPerMinute: 1, rateLimitIngestionPerMinute: 1 } },
    t.sandboxKey,
  );
  expect((await send('GET', '/customers')).status).toBe(200);
  return send;
}

/** REST layer whose database fails for every statement. */
export function brokenDoor(t: TestApp): Send {
  const fail = (): never => {
    throw new Error('the disk is on fire');
  };
  return doorOf({ ...t.app, database: { ...t.app.database, query: fail, transaction: fail } }, t.sandboxKey);
}

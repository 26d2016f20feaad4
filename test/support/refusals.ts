import { expect } from 'vitest';
import type { CallOptions, TestApp } from './harness.ts';

/** What a client is told of a refusal, but for what is the same in all of them. */
export type Refusal = {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly param?: string;
  readonly details?: unknown;
};

/** All rows of all tables of all environments but for what reading itself writes: when a key was last used. */
export async function everything(t: TestApp): Promise<unknown> {
  const { query } = t.app.database;
  const tables = await query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY 1`,
  );
  const rows: Record<string, unknown> = {};
  for (const { name } of tables)
    rows[name] = await query(`SELECT to_jsonb(t) - 'lastUsedAt' AS row FROM "${name}" t ORDER BY (to_jsonb(t) - 'lastUsedAt')::text`);
  return rows;
}

/** Runs a GraphQL operation that must be refused, checks that it changed nothing anywhere, and answers the refusal. */
export async function refusal(
  t: TestApp,
  operation: string,
  variables: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Refusal> {
  const before = await everything(t);
  const { errors } = await t.graphqlFailure(operation, variables, options);
  expect(await everything(t)).toEqual(before);
  expect(errors).toHaveLength(1);
  const { message = '', extensions = {} } = errors[0] ?? {};
  const { code, status, param, details } = extensions as Omit<Refusal, 'message'>;
  return { code, status, message, ...(param === undefined ? {} : { param }), ...(details === undefined ? {} : { details }) };
}

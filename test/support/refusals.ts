import { expect } from 'vitest';
import { watchChanges } from './changes.ts';
import type { CallOptions, TestApp } from './harness.ts';

/** Error that a client receives, without the fields that all errors share. */
export type Rejection = {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly param?: string;
  readonly details?: unknown;
  readonly retryAfter?: number;
};

/** Executes a GraphQL operation that must be rejected without changes. Returns the error. */
export async function rejection(
  t: TestApp,
  operation: string,
  variables: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Rejection> {
  const changes = await watchChanges(t.app.database.query);
  const { errors } = await t.graphqlFailure(operation, variables, options);
  expect(await changes()).toEqual([]);
  expect(errors).toHaveLength(1);
  const { message = '', extensions = {} } = errors[0] ?? {};
  const { code, status, param, details, retryAfter } = extensions as Omit<Rejection, 'message'>;
  return {
    code,
    status,
    message,
    ...(param === undefined ? {} : { param }),
    ...(details === undefined ? {} : { details }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

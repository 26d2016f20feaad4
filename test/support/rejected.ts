import { expect } from 'vitest';
import { errorCodes, problemsOf, resourceShape } from './contract.ts';
import type { Answer } from './harness.ts';

type Failure = {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly doc_url: string;
  };
};

/** Expects an error code's status and type. Over REST, also expects the error envelope. */
export function expectRejected(
  { status, body }: Pick<Answer<unknown>, 'status' | 'body'>,
  { code, isGraphql = false }: { readonly code: string; readonly isGraphql?: boolean },
): void {
  const details = errorCodes.find((known) => known.code === code);
  expect({ status, body }).toMatchObject({
    status: details?.status,
    body: { error: { code, type: details?.type } },
  });
  if (isGraphql) return;
  expect(problemsOf(resourceShape('Error'), body)).toEqual([]);
  expect((body as Failure).error.doc_url.endsWith(`/docs/api-reference/2026-08-27/errors/${code}.md`)).toBe(
    true,
  );
}

import { useCallback } from 'react';
import { useClient } from 'urql';
import type { Document } from '../../ui/documents.ts';
import { type ApiError, apiErrorOf } from './api-error.ts';
import { remember } from './texts.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns a function that sends a mutation with the caller's idempotency key. Mutations with the same key take effect once. The function returns the
 * result or the `ApiError`.
 */
export function useSend(): <Result, Variables extends Values>(
  document: Document<Result, Variables>,
  variables: Variables,
  idempotencyKey: string,
) => Promise<Result | ApiError> {
  const client = useClient();
  return useCallback(
    async (document, variables, idempotencyKey) => {
      const { data, error } = await client
        .mutation(remember(document) as string, variables, { request: { idempotencyKey } } as never)
        .toPromise();
      return apiErrorOf(error) ?? (data as never);
    },
    [client],
  );
}

/** Returns a function that sends a query without the cache. The function returns the result or the `ApiError`. */
export function useAsk(): <Result, Variables extends Values>(
  document: Document<Result, Variables>,
  variables: Variables,
) => Promise<Result | ApiError> {
  const client = useClient();
  return useCallback(
    async (document, variables) => {
      const { data, error } = await client
        .query(remember(document) as string, variables, { requestPolicy: 'network-only' })
        .toPromise();
      return apiErrorOf(error) ?? (data as never);
    },
    [client],
  );
}

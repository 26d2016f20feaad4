import type { Client } from 'graphql-ws/client';
import { useEffect, useRef } from 'preact/hooks';
import type { Document } from '../../ui/documents.ts';
import { currentPage } from './current-page.ts';

// Live fields of a page, over one socket, which is opened with the first of them.

let client: Promise<Client> | null = null;

async function open(): Promise<Client> {
  const { createClient } = await import('graphql-ws/client');
  const { base, token } = currentPage();
  const url = new URL(`${base}/graphql`, location.origin);
  url.protocol = url.protocol.replace('http', 'ws');
  return createClient({
    url: url.href,
    connectionParams: { token },
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: (attempt) =>
      new Promise((resolve) => {
        setTimeout(resolve, Math.min(1_000 * 2 ** attempt, 30_000));
        addEventListener('online', () => resolve(), { once: true });
      }),
    // A session that has ended is no reason to try again.
    shouldRetry: (event) => (event as { code?: number }).code !== 4_403,
  });
}

/** Tells each value of a live field as long as it is wanted, and when it has ended for good. */
export function useLive<Result, Variables extends Record<string, unknown>>(
  isWanted: boolean,
  document: Document<Result, Variables>,
  tell: { readonly value: (value: Result) => void; readonly end: () => void },
): void {
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    let stop = (): void => undefined;
    const end = (): void => {
      if (!isOver) latest.current.end();
    };
    client ??= open();
    client.then(
      (opened) => {
        if (isOver) return;
        stop = opened.subscribe<Result>(
          { query: document, variables: { token: currentPage().token } },
          {
            next: ({ data }) => {
              if (data != null && !isOver) latest.current.value(data);
            },
            error: end,
            complete: end,
          },
        );
        // Without the code for it the page goes on, and shows changes after each step.
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      stop();
    };
  }, [isWanted, document]);
}

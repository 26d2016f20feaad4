import { useEffect, useRef } from 'preact/hooks';
import type { Document } from '../../ui/documents.ts';
import { currentPage } from './current-page.ts';
import { socketAt } from './socket.ts';

// Live fields of a page, over one socket, which is opened with the first of them.

let socket: ReturnType<typeof socketAt> | null = null;

function pageSocket(): ReturnType<typeof socketAt> {
  const { base, token } = currentPage();
  const url = new URL(`${base}/graphql`, location.origin);
  url.protocol = url.protocol.replace('http', 'ws');
  socket ??= socketAt(url.href, token);
  return socket;
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
    return pageSocket()({
      query: document,
      variables: { token: currentPage().token },
      next: ({ data }) => {
        // The service answers the document, whose result has this type.
        if (data != null) latest.current.value(data as Result);
      },
      end: () => latest.current.end(),
    });
  }, [isWanted, document]);
}

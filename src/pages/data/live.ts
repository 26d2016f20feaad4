import { useEffect, useRef } from 'preact/hooks';
import type { Document } from '../../ui/documents.ts';
import { currentPage } from './current-page.ts';
import { socketAt } from './socket.ts';

// A page's live fields share one socket, which opens when the first field is subscribed to.

let socket: ReturnType<typeof socketAt> | null = null;

function pageSocket(): ReturnType<typeof socketAt> {
  const { base, token } = currentPage();
  const url = new URL(`${base}/graphql`, location.origin);
  url.protocol = url.protocol.replace('http', 'ws');
  socket ??= socketAt(url.href, token);
  return socket;
}

/** Subscribes to a live field, with callbacks for each value and for the end. */
export function useLive<Result, Variables extends Record<string, unknown>>(
  isActive: boolean,
  document: Document<Result, Variables>,
  tell: { readonly value: (value: Result) => void; readonly end: () => void },
): void {
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    if (!isActive) return;
    return pageSocket()({
      query: document,
      variables: { token: currentPage().token },
      next: ({ data }) => {
        // The type of the data is determined by the document.
        if (data != null) latest.current.value(data as Result);
      },
      end: () => latest.current.end(),
    });
  }, [isActive, document]);
}

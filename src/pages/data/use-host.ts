import { useEffect } from 'preact/hooks';

type Host = typeof import('./host.ts');

/** Calls a function with the parent page if this page is embedded in a frame. Returns a cleanup function. */
function withHost(act: (host: Host) => (() => void) | undefined): () => void {
  let isOver = false;
  let end: (() => void) | undefined;
  if (window.parent !== window)
    import('./host.ts').then(
      (host) => {
        if (!isOver) end = act(host);
      },
      () => undefined,
    );
  return () => {
    isOver = true;
    end?.();
  };
}

/** Reports this page's height, Escape key presses and completion to a parent page with one of the given origins. */
export function useHost(allowed: readonly string[], isDone: boolean): void {
  const origins = allowed.join(' ');
  useEffect(() => withHost(({ follow }) => follow(origins)), [origins]);
  useEffect(() => {
    // Without a cleanup, the completion is reported even if the component is unmounted before `host.ts` has loaded.
    if (isDone) withHost(({ tell }) => void tell(origins, 'success'));
  }, [origins, isDone]);
}

/** Asks the parent page to open a checkout in an overlay. */
export const offerCheckout = (allowed: readonly string[], url: string): void => {
  withHost(({ tell }) => void tell(allowed.join(' '), 'checkout', { url }));
};

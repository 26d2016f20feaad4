import { useEffect } from 'preact/hooks';

type Host = typeof import('./host.ts');

/** Does something with the page around this one, where there is one; answers what ends it. */
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

/** Tells the page around this one, where it is of one of the origins, how high this one is, that Escape was pressed, and once what it is for is done. */
export function useHost(allowed: readonly string[], isDone: boolean): void {
  const origins = allowed.join(' ');
  useEffect(() => withHost(({ follow }) => follow(origins)), [origins]);
  useEffect(() => {
    // What is done stays told, also where the page goes on meanwhile.
    if (isDone) withHost(({ tell }) => void tell(origins, 'success'));
  }, [origins, isDone]);
}

/** Asks the page around this one to open a checkout above itself. */
export const offerCheckout = (allowed: readonly string[], url: string): void => {
  withHost(({ tell }) => void tell(allowed.join(' '), 'checkout', { url }));
};

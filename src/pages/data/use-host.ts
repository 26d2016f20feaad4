import { useEffect } from 'preact/hooks';

// What a page tells the page of the seller it is shown in.

type Message = 'success' | 'resize' | 'close' | 'checkout';

/** Tells the page around this one something, where it is of one of the origins. */
function tell(origins: string, type: Message, details: object = {}): void {
  if (window.parent === window || origins === '') return;
  for (const origin of origins.split(' '))
    window.parent.postMessage({ source: 'quittance', type, ...details }, origin);
}

/** Tells the page around this one, where it is of one of the origins, how high this one is, that Escape was pressed, and once what it is for is done. */
export function useHost(allowed: readonly string[], isDone: boolean): void {
  const origins = allowed.join(' ');
  useEffect(() => {
    const observer = new ResizeObserver(() =>
      tell(origins, 'resize', { height: document.documentElement.scrollHeight }),
    );
    const press = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') tell(origins, 'close');
    };
    observer.observe(document.body);
    addEventListener('keydown', press);
    return () => {
      observer.disconnect();
      removeEventListener('keydown', press);
    };
  }, [origins]);
  useEffect(() => {
    if (isDone) tell(origins, 'success');
  }, [origins, isDone]);
}

/** Asks the page around this one to open a checkout above itself. */
export const offerCheckout = (allowed: readonly string[], url: string): void =>
  tell(allowed.join(' '), 'checkout', { url });

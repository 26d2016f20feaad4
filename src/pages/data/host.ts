// Sends messages to the merchant's page that embeds this page in a frame. Loaded only in frames.

type Message = 'success' | 'resize' | 'close' | 'checkout';

/** Sends a message to the parent page if its origin is one of the given origins. */
export function tell(origins: string, type: Message, details: object = {}): void {
  if (origins === '') return;
  for (const origin of origins.split(' '))
    window.parent.postMessage({ source: 'quittance', type, ...details }, origin);
}

/** Reports this page's height changes and Escape key presses to the parent page. Returns a function that stops the reports. */
export function follow(origins: string): () => void {
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
}

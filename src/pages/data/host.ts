// What a page tells the page of the seller it is shown in. Loaded where there is one.

type Message = 'success' | 'resize' | 'close' | 'checkout';

/** Tells the page around this one something, where it is of one of the origins. */
export function tell(origins: string, type: Message, details: object = {}): void {
  if (origins === '') return;
  for (const origin of origins.split(' '))
    window.parent.postMessage({ source: 'quittance', type, ...details }, origin);
}

/** Tells the page around this one how high this one is, and that Escape was pressed; answers what ends that. */
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

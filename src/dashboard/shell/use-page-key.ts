import { useEffect, useEffectEvent } from 'react';
import { hasShortcuts } from './display.ts';
import { isBusy } from './shortcuts.ts';

/** Runs an action of the page by a single key, such as `n` for a new one, unless the key goes into a field or belongs to a sequence. */
export function usePageKey(key: string, run: () => void): void {
  const act = useEffectEvent(run);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const hasModifier = event.metaKey || event.ctrlKey || event.altKey;
      if (event.key !== key || hasModifier || isBusy(event.target) || !hasShortcuts.get()) return;
      // The frame hears of the key after the page does, and takes the second key of a sequence.
      setTimeout(() => {
        if (!event.defaultPrevented) act();
      });
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [key]);
}

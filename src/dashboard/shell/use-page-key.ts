import { useEffect, useEffectEvent } from 'react';
import { hasShortcuts } from './display.ts';
import { isBusy } from './shortcuts.ts';

/** Runs an action of the page when a single key is pressed, such as `n` for a new object. Ignores keys in fields and in key sequences. */
export function usePageKey(key: string, run: () => void): void {
  const act = useEffectEvent(run);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const hasModifier = event.metaKey || event.ctrlKey || event.altKey;
      if (event.key !== key || hasModifier || isBusy(event.target) || !hasShortcuts.get()) return;
      // The frame handles the key after this listener, and may handle it as the second key of a sequence.
      setTimeout(() => {
        if (!event.defaultPrevented) act();
      });
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [key]);
}

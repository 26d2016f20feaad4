import { useEffect, useEffectEvent } from 'react';
import { connection } from './socket.ts';

/**
 * Repeats a failed request once the connection is back: if the browser is online again, or if the live connection has reopened. Does nothing
 * unless `isLost` is true.
 */
export function useRecovery(isLost: boolean, retry: () => void): void {
  const again = useEffectEvent(retry);
  useEffect(() => {
    if (!isLost) return undefined;
    const repeat = () => again();
    const reopened = () => connection.get() === 'open' && again();
    addEventListener('online', repeat);
    const unsubscribe = connection.subscribe(reopened);
    return () => {
      removeEventListener('online', repeat);
      unsubscribe();
    };
  }, [isLost]);
}

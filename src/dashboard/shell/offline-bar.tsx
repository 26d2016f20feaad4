import { useEffect, useState } from 'react';
import { connection } from '../data/socket.ts';
import { useStore } from '../data/store.ts';
import { useWords } from '../words/words.ts';
import styles from './frame.module.css';

/** Delay before the bar appears after the connection is lost, in milliseconds. */
const delayMs = 3_000;

/** Bar that appears if the connection was lost and not restored within 3 seconds. */
export function OfflineBar() {
  const words = useWords('shell');
  const isLost = useStore(connection) === 'lost';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) {
      setShown(false);
      return undefined;
    }
    const timer = setTimeout(() => setShown(true), delayMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  return <div role="status">{isShown && <p className={styles.offline}>{words.offline}</p>}</div>;
}

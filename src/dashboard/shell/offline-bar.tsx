import { useEffect, useState } from 'react';
import { connection } from '../data/socket.ts';
import { useStore } from '../data/store.ts';
import type { shell } from '../words/en/shell.ts';
import { useWords } from '../words/words.ts';
import styles from './frame.module.css';

/** How long a connection may be lost before that is worth a sentence. */
const patienceMs = 3_000;

/** Says that there is no connection, once that has lasted. */
export function OfflineBar() {
  const words = useWords<typeof shell>('shell');
  const isLost = useStore(connection) === 'lost';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) {
      setShown(false);
      return undefined;
    }
    const timer = setTimeout(() => setShown(true), patienceMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  return <div role="status">{isShown && <p className={styles.offline}>{words.offline}</p>}</div>;
}

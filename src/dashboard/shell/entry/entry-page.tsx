import { type ReactNode, useEffect, useRef } from 'react';
import { Stack } from '../../kit/layout.tsx';
import { Heading } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { Mark } from '../mark.tsx';
import styles from './entry.module.css';

/** Page with a form and a picture of a slip, shown before a user is signed in. */
export function EntryPage({ children, title }: { readonly children: ReactNode; readonly title?: string }) {
  const { product } = useWords('shell');
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${product}`;
    place.current?.focus({ preventScroll: true });
  }, [title, product]);
  return (
    <main ref={place} className={styles.page} tabIndex={-1}>
      <div className={styles.column}>
        <div className={styles.product}>
          <Mark size={24} />
          {product}
        </div>
        <Stack gap={5}>
          {title !== undefined && <Heading level={1}>{title}</Heading>}
          {children}
        </Stack>
      </div>
      <div className={styles.picture} aria-hidden="true">
        <div className={styles.slip}>
          <span className={styles.bar} />
          <span className={styles.amount} />
          <span className={styles.bar} />
          <span className={styles.bar} />
          <div className={styles.stub}>
            <Mark size={20} />
            <span className={styles.bar} />
          </div>
        </div>
      </div>
    </main>
  );
}

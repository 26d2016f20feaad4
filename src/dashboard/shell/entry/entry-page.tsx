import { type ReactNode, useEffect, useRef } from 'react';
import { Card, Stack } from '../../kit/layout.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import styles from './entry.module.css';

/** Page with one narrow column, shown before a user is signed in. */
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
        <Text weight="bold" color="muted">
          {product}
        </Text>
        <Card>
          <Stack gap={5}>
            {title !== undefined && <Heading level={1}>{title}</Heading>}
            {children}
          </Stack>
        </Card>
      </div>
    </main>
  );
}

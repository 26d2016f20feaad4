import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import styles from './section.module.css';

type CardsProps = { readonly next?: string };

/** Cards that do something in the sandbox, loaded where they are shown: a payer never needs them. */
export function SandboxCards(props: CardsProps) {
  const [cards, setCards] = useState<{ readonly View: FunctionComponent<CardsProps> } | null>(null);
  useEffect(() => {
    // Without them a card is typed in.
    import('./test-cards.tsx').then(
      ({ TestCards }) => setCards({ View: TestCards }),
      () => undefined,
    );
  }, []);
  // Their place is kept, so that nothing below moves.
  return cards === null ? <div class={styles.later} /> : <cards.View {...props} />;
}

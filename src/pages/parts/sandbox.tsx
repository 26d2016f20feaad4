import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { currentPage } from '../data/current-page.ts';
import type { SandboxWords } from '../words/areas.ts';
import styles from './section.module.css';

type Worded = { readonly sandbox: SandboxWords };
type CardsProps = { readonly next?: string };
type ViewProps = { readonly onView: () => void };
type Loaded<Props> = { readonly View: FunctionComponent<Props & Worded>; readonly sandbox: SandboxWords };

const catalogs = import.meta.glob<{ readonly words: SandboxWords }>('../words/sandbox/*.ts');

/** A part of the sandbox with its words, loaded where it is shown: a payer never needs it. Null until then, and where it cannot be loaded. */
function useLoaded<Props>(load: () => Promise<FunctionComponent<Props & Worded>>): Loaded<Props> | null {
  const [loaded, setLoaded] = useState<Loaded<Props> | null>(null);
  useEffect(() => {
    const words = catalogs[`../words/sandbox/${currentPage().language}.ts`];
    Promise.all([load(), words?.()]).then(
      ([View, catalog]) => {
        if (catalog !== undefined) setLoaded({ View, sandbox: catalog.words });
      },
      () => undefined,
    );
  }, []);
  return loaded;
}

/** Cards that do something in the sandbox. Without them a card is typed in. */
export function SandboxCards(props: CardsProps) {
  const loaded = useLoaded<CardsProps>(async () => (await import('./sandbox-parts.ts')).TestCards);
  // Their place is kept, so that nothing below moves.
  return loaded === null ? <div class={styles.later} /> : <loaded.View {...props} sandbox={loaded.sandbox} />;
}

/** The choice of a country to look at the page from. Its place is kept as well. */
export function SandboxCountry(props: ViewProps) {
  const loaded = useLoaded<ViewProps>(async () => (await import('./sandbox-parts.ts')).CountryView);
  return (
    <div class={styles.ribbon}>
      {loaded === null ? null : <loaded.View {...props} sandbox={loaded.sandbox} />}
    </div>
  );
}

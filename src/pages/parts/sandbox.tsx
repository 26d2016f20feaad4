import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { currentPage, usePage } from '../data/current-page.ts';
import { useShown } from '../data/use-shown.ts';
import type { SandboxWords } from '../words/areas.ts';
import styles from './section.module.css';

type Worded = { readonly sandbox: SandboxWords };
type CardsProps = { readonly next?: string };
type ViewProps = { readonly onView: () => void };
type Loaded<Props> = { readonly View: FunctionComponent<Props & Worded>; readonly sandbox: SandboxWords };

const catalogs = import.meta.glob<{ readonly words: SandboxWords }>('../words/sandbox/*.ts');

/** Loads a part of the sandbox with its words. */
async function load<Props>(part: () => Promise<FunctionComponent<Props & Worded>>): Promise<Loaded<Props>> {
  const words = catalogs[`../words/sandbox/${currentPage().language}.ts`];
  const [View, catalog] = await Promise.all([part(), words?.()]);
  if (catalog === undefined) throw new Error('The sandbox has no words in this language.');
  return { View, sandbox: catalog.words };
}

const loadCards = () => load<CardsProps>(async () => (await import('./test-cards.tsx')).TestCards);
const loadView = () => load<ViewProps>(async () => (await import('./country-view.tsx')).CountryView);

/** Cards that do something in the sandbox, loaded where they are shown: a payer never needs them. Without them a card is typed in. */
export function SandboxCards(props: CardsProps) {
  const [loaded, setLoaded] = useState<Loaded<CardsProps> | null>(null);
  useShown(() => void loadCards().then(setLoaded, () => undefined));
  // Their place is kept, so that nothing below moves.
  return loaded === null ? <div class={styles.later} /> : <loaded.View {...props} sandbox={loaded.sandbox} />;
}

/** The choice of a country to look at the page from, loaded once it is wanted, or where the address names one. */
export function SandboxCountry(props: ViewProps) {
  const { words } = usePage();
  const [loaded, setLoaded] = useState<Loaded<ViewProps> | null>(null);
  const open = (): void => void loadView().then(setLoaded, () => undefined);
  useShown(() => {
    if (new URL(location.href).searchParams.has('country')) open();
  });
  return loaded === null ? (
    <button type="button" id="view-from" class={styles.view} onClick={open}>
      {words.sandbox.view}
    </button>
  ) : (
    <loaded.View {...props} sandbox={loaded.sandbox} />
  );
}

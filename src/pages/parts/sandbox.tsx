import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { currentPage, usePage } from '../data/current-page.ts';
import { useOnMount } from '../data/use-on-mount.ts';
import type { CatalogModule } from '../start.tsx';
import type { SandboxWords } from '../words/areas.ts';
import styles from './section.module.css';

type Worded = { readonly sandbox: SandboxWords };
type CardsProps = { readonly next?: string };
type ViewProps = { readonly onView: () => void };
type Loaded<Props> = { readonly View: FunctionComponent<Props & Worded>; readonly sandbox: SandboxWords };

const catalogs = import.meta.glob<CatalogModule<SandboxWords>>('../words/*/sandbox.json');

/** Loads a sandbox component with its messages. */
async function load<Props>(part: () => Promise<FunctionComponent<Props & Worded>>): Promise<Loaded<Props>> {
  const words = catalogs[`../words/${currentPage().language}/sandbox.json`];
  const [View, catalog] = await Promise.all([part(), words?.()]);
  if (catalog === undefined) throw new Error('The sandbox has no words in this language.');
  return { View, sandbox: catalog.default };
}

const loadCards = () => load<CardsProps>(async () => (await import('./test-cards.tsx')).TestCards);
const loadView = () => load<ViewProps>(async () => (await import('./country-view.tsx')).CountryView);

/** Sandbox test cards, loaded when they're shown, because live pages don't need them. If the load fails, a card can still be entered. */
export function SandboxCards(props: CardsProps) {
  const [loaded, setLoaded] = useState<Loaded<CardsProps> | null>(null);
  useOnMount(() => void loadCards().then(setLoaded, () => undefined));
  // Reserves space for the test cards, so that the content below doesn't move when they load.
  return loaded === null ? <div class={styles.later} /> : <loaded.View {...props} sandbox={loaded.sandbox} />;
}

/** Sandbox country selector, loaded on click or if the URL contains a country. */
export function SandboxCountry(props: ViewProps) {
  const { words } = usePage();
  const [loaded, setLoaded] = useState<Loaded<ViewProps> | null>(null);
  const open = (): void => void loadView().then(setLoaded, () => undefined);
  useOnMount(() => {
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

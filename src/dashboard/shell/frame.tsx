import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { lazyPart } from '../kit/lazy-part.tsx';
import type { shell } from '../words/en/shell.ts';
import { useWords } from '../words/words.ts';
import { useArrival } from './arrival.ts';
import styles from './frame.module.css';
import { OfflineBar } from './offline-bar.tsx';
import { OpenPage } from './open-page.tsx';
import { Panels } from './panels.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { SandboxBar } from './sandbox-bar.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Side } from './side.tsx';

const Background = lazyPart(() => import('./background.ts').then((module) => module.default));

/** Everything around a page. */
export function Frame() {
  const words = useWords<typeof shell>('shell');
  const where = useStore(environment);
  useArrival();
  useShortcuts();
  return (
    <div className={styles.frame} data-environment={where}>
      <a href="#content" className={styles.skip}>
        {words.skip}
      </a>
      <SandboxBar />
      <Side />
      <main id="content" className={styles.content} tabIndex={-1}>
        <OfflineBar />
        <OpenPage />
      </main>
      <PhoneBar />
      <Panels />
      <Background />
    </div>
  );
}

import { useState } from 'react';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import { CrumbSlot } from '../kit/crumb-slot.ts';
import { lazyPart } from '../kit/lazy-part.tsx';
import { useWords } from '../words/words.ts';
import { useArrival } from './focus-heading.ts';
import styles from './frame.module.css';
import { OfflineBar } from './offline-bar.tsx';
import { OpenPage } from './open-page.tsx';
import { Panels } from './panels.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Side } from './sidebar.tsx';
import { TopLine } from './top-line.tsx';

const Background = lazyPart(() => import('./background.ts').then((module) => module.default));

const VerifyBar = lazyPart(() => import('./verify-bar.tsx').then((module) => module.default));

/** Frame around all pages: sidebar, top line, and panels. */
export function Frame() {
  const words = useWords('shell');
  const where = useStore(environment);
  const { isEmailVerified } = useViewer();
  const [crumbs, setCrumbs] = useState<HTMLElement | null>(null);
  useArrival();
  useShortcuts();
  return (
    <div className={styles.frame} data-environment={where}>
      <a href="#content" className={styles.skip}>
        {words.skip}
      </a>
      <Side />
      <TopLine crumbs={setCrumbs} />
      <main id="content" className={styles.content} tabIndex={-1}>
        <OfflineBar />
        {!isEmailVerified && (
          <div className={styles.verify}>
            <VerifyBar />
          </div>
        )}
        <CrumbSlot value={crumbs}>
          <OpenPage />
        </CrumbSlot>
      </main>
      <PhoneBar />
      <Panels />
      <Background />
    </div>
  );
}
